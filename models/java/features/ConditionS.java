package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Bounded buffer with two conditions. */
public class ConditionS {
    private final Lock l = new ReentrantLock();
    private final Condition notFull = l.newCondition(), notEmpty = l.newCondition();
    private final int[] a = new int[4];
    private int c, p, g;
    public void put(int k) throws InterruptedException {
        l.lock();
        try {
            while (c == 4) notFull.await();
            a[p] = k;
            p = (p + 1) % 4;
            c++;
            notEmpty.signal();
        } finally {
            l.unlock();
        }
    }
    public int take() throws InterruptedException {
        l.lock();
        try {
            while (c == 0) notEmpty.await();
            int k = a[g];
            g = (g + 1) % 4;
            c--;
            notFull.signal();
            return k;
        } finally {
            l.unlock();
        }
    }
}
