package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Executor that runs at once. */
public class ExecDirectB {
    private final Executor e = Runnable::run;
    private int n;
    public void go() {
        e.execute(() -> n++);
    }
    public synchronized int get() {
        return n;
    }
}
