package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** A helper gives the side, rightly. */
public class SideHelperS {
    private final ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
    private int n;
    private Lock side(boolean w) {
        if (w) return rw.writeLock();
        return rw.readLock();
    }
    public void inc() {
        Lock l = side(true);
        l.lock();
        try {
            n++;
        } finally {
            l.unlock();
        }
    }
    public int get() {
        Lock l = side(false);
        l.lock();
        try {
            return n + n;
        } finally {
            l.unlock();
        }
    }
}
