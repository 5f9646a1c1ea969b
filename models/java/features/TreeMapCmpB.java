package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Comparator of a concurrent skip list map. */
public class TreeMapCmpB {
    private int n;
    private final ConcurrentSkipListMap<String,String> s = new ConcurrentSkipListMap<>((x, y) -> {
        n++;
        return x.compareTo(y);
    });
    public void put(String x) {
        s.put(x, x);
    }
}
