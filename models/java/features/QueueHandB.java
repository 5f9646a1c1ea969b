package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Array is changed after it was handed over. */
public class QueueHandB {
    private final BlockingQueue<int[]> q = new LinkedBlockingQueue<>();
    public void send() throws InterruptedException {
        int[] a = new int[1];
        q.put(a);
        a[0]++;
    }
    public int get() throws InterruptedException {
        int[] a = q.take();
        return a[0] + a[0];
    }
}
