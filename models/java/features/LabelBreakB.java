package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Labelled break leaves the monitor early. */
public class LabelBreakB {
    private final int[] a = new int[4];
    private int hits;
    public void find(int k) {
        outer: for (int i = 0; i < 4; i++) {
            synchronized(this) {
                for (int j = i; j < 4; j++) if (a[j] == k) break outer;
            }
        }
        hits++;
    }
    public synchronized void set(int i, int k) {
        a[i & 3] = k;
        hits = 0;
    }
}
