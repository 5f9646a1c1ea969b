package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Calls super within the lock. */
public class OverrideSuperS {
    private static class Base {
        protected int n;
        synchronized void inc() {
            n++;
        }
    }
    private static final class D extends Base {
        @Override synchronized void inc() {
            n++;
            super.inc();
            n++;
        }
        synchronized int twice() {
            return n + n;
        }
    }
    private final D d = new D();
    public void inc() {
        d.inc();
    }
    public int twice() {
        return d.twice();
    }
}
