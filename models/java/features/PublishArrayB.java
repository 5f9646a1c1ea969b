package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Array is published by a setter, then written. */
public class PublishArrayB {
    private int[] a = new int[2];
    private synchronized void put(int[] x) {
        a = x;
    }
    public void set(int k) {
        int[] x = new int[2];
        put(x);
        x[0] = k;
        x[1] = k;
    }
    public synchronized int diff() {
        return a[0] - a[1];
    }
}
