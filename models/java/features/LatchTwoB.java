package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Latch of two counts, one write after the first countDown. */
public class LatchTwoB {
    private final CountDownLatch c = new CountDownLatch(2);
    private int a, b;
    public synchronized void set(int k) {
        a = k;
        c.countDown();
        b = k;
    }
    public int get() throws InterruptedException {
        c.await();
        return a - b;
    }
}
