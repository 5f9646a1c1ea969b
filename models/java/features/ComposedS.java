package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** AndThen of two consumers under the lock. */
public class ComposedS {
    private int n;
    private final Consumer<String> c = ((Consumer<String>) s -> n++).andThen(s -> n += s.length());
    public synchronized void go(String s) {
        c.accept(s);
    }
    public synchronized int n() {
        return n;
    }
}
