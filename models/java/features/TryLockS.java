package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** TryLock, else waits. */
public class TryLockS {
    private final ReentrantLock l = new ReentrantLock();
    private int n;
    public void inc() {
        if (!l.tryLock()) l.lock();
        try {
            n++;
        } finally {
            l.unlock();
        }
    }
    public int twice() {
        l.lock();
        try {
            return n + n;
        } finally {
            l.unlock();
        }
    }
}
