package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Task made under the lock, run by a thread. */
public class FutureTaskLaterB {
    private int n;
    public synchronized Future<Integer> go() {
        FutureTask<Integer> t = new FutureTask<>(() -> n++);
        new Thread(t).start();
        return t;
    }
    public synchronized int n() {
        return n;
    }
}
