package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Functions in a map, run under the lock. */
public class FunctionMapS {
    private int n;
    private final Map<String,Runnable> ops = new HashMap<>();
    public FunctionMapS() {
        ops.put("a", () -> n++);
        ops.put("b", this::dec);
    }
    private void dec() {
        n--;
    }
    public synchronized void call(String k) {
        Runnable r = ops.get(k);
        if (r != null) r.run();
    }
}
