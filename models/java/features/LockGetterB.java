package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Overridable getter gives a new lock. */
public class LockGetterB {
    private int n;
    private Object lock() {
        return new Object();
    }
    public void inc() {
        synchronized(lock()) {
            n++;
        }
    }
    public int twice() {
        synchronized(lock()) {
            return n + n;
        }
    }
}
