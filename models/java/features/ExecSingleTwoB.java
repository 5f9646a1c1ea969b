package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Single-thread executor, but a method touches n itself. */
public class ExecSingleTwoB {
    private final ExecutorService e = Executors.newSingleThreadExecutor();
    private int n;
    public void go() {
        e.execute(() -> n++);
    }
    public int twice() {
        return n + n;
    }
}
