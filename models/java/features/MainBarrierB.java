package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Both sides write after the barrier. */
public class MainBarrierB {
    static class C {
        int n;
        void inc() {
            n++;
        }
    }
    public static void main(String[] a) throws Exception {
        C c = new C();
        CyclicBarrier b = new CyclicBarrier(2);
        Thread t = new Thread(() -> {
            try {
                b.await();
                c.inc();
            } catch (Exception e) {
            }
        });
        t.start();
        b.await();
        c.inc();
    }
}
