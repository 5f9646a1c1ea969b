package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Function of a LongAccumulator writes. */
public class LongAccB {
    private int n;
    private final LongAccumulator a = new LongAccumulator((x, y) -> {
        n++;
        return Math.max(x, y);
    }, 0);
    public void hit(long k) {
        a.accumulate(k);
    }
    public synchronized int n() {
        return n;
    }
}
