package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** A stamped lock has no owner. */
public class StampedNoOwnerB {
    private final StampedLock lock = new StampedLock();
    private int n;

    public void inc() {
        lock.writeLock();
        try {
            n++;
        } finally {
            lock.tryUnlockWrite();
        }
    }

    public void reset() {
        lock.tryUnlockWrite();
    }
}
