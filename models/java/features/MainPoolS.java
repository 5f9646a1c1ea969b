package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Pool of two, synchronized. */
public class MainPoolS {
    static class C {
        int n;
        synchronized void inc() {
            n++;
        }
        synchronized int get() {
            return n;
        }
    }
    public static void main(String[] a) throws Exception {
        C c = new C();
        ExecutorService e = Executors.newFixedThreadPool(2);
        for (int i = 0; i < 4; i++) e.execute(c::inc);
        e.shutdown();
        e.awaitTermination(1, TimeUnit.DAYS);
        System.out.println(c.get());
    }
}
