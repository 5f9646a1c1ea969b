package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Predicate of partitioningBy. */
public class PartitioningB {
    private int n;
    private final List<Integer> l = List.of(1, 2);
    public int go() {
        return l.stream().collect(Collectors.partitioningBy(i -> n++ > i)).size();
    }
    public synchronized int n() {
        return n;
    }
}
