package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Long and double. */
public class LongFieldB {
    private long n;
    private double d;
    public void inc() {
        n++;
        d += 0.5;
    }
    public synchronized double get() {
        return n + d;
    }
}
