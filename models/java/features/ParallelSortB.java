package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** ParallelSort's comparator writes. */
public class ParallelSortB {
    private int n;
    public synchronized void go(Integer[] a) {
        Arrays.parallelSort(a, (x, y) -> {
            n++;
            return x - y;
        });
    }
}
