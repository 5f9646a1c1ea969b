package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Arraycopy without lock. */
public class ArrayCopyB {
    private final int[] a = new int[4];
    public synchronized void set(int k) {
        Arrays.fill(a, k);
    }
    public int[] copy() {
        int[] c = new int[4];
        System.arraycopy(a, 0, c, 0, 4);
        return c;
    }
}
