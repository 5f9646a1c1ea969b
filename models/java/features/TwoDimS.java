package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** A[i][j]++ under the lock. */
public class TwoDimS {
    private final int[][] a = new int[3][3];
    public synchronized void inc(int i, int j) {
        a[i][j]++;
    }
    public synchronized int get(int i, int j) {
        return a[i][j];
    }
}
