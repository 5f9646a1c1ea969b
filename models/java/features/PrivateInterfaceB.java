package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

interface PrivateInterfaceBI {
    int get();
    void set(int k);
    private void add(int k) {
        set(get() + k);
    }
    default void inc() {
        add(1);
    }
}

/** Private interface method between two defaults. */
public class PrivateInterfaceB implements PrivateInterfaceBI {
    private int n;
    public synchronized int get() {
        return n;
    }
    public synchronized void set(int k) {
        n = k;
    }
}
