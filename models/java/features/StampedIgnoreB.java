package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Validate's result is ignored. */
public class StampedIgnoreB {
    private final StampedLock s = new StampedLock();
    private int a, b;
    public int sum() {
        long t = s.tryOptimisticRead();
        int x = a, y = b;
        s.validate(t);
        return x + y;
    }
    public void move() {
        long t = s.writeLock();
        try {
            a++;
            b--;
        } finally {
            s.unlockWrite(t);
        }
    }
}
