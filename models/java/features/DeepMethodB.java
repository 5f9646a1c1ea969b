package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Methods of held objects of held objects. */
public class DeepMethodB {
    static class C {
        private int v;
        void inc() {
            v++;
        }
        int get() {
            return v;
        }
    }
    static class B {
        private final C c = new C();
        void inc() {
            c.inc();
        }
        int get() {
            return c.get();
        }
    }
    private final B b = new B();
    public void inc() {
        b.inc();
    }
    public synchronized int get() {
        return b.get();
    }
}
