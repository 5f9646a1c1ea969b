package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Optimistic read, falls back to the read lock in a for loop. */
public class StampedFallS {
    private final StampedLock s = new StampedLock();
    private int a, b;
    public int sum() {
        long t = s.tryOptimisticRead();
        int x = a, y = b;
        if (s.validate(t)) return x + y;
        t = s.readLock();
        try {
            return a + b;
        } finally {
            s.unlockRead(t);
        }
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
