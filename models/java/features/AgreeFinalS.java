package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Tests of a final field agree. */
public class AgreeFinalS {
    private final boolean shared;
    private final ReentrantLock l = new ReentrantLock();
    private int n;
    public AgreeFinalS(boolean s) {
        shared = true;
    }
    public void f() {
        if (shared) l.lock();
        n++;
        if (shared) l.unlock();
    }
    public int g() {
        if (shared) l.lock();
        int k = n + n;
        if (shared) l.unlock();
        return k;
    }
}
