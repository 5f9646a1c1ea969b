package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Varargs of other objects, each locked. */
public class VarargsLockedS {
    private int a, b;
    public synchronized void set(int k) {
        a = k;
        b = -k;
    }
    public synchronized int sum() {
        return a + b;
    }
    public int first(VarargsLockedS... os) {
        return os.length == 0 ? 0 : os[0].sum();
    }
}
