package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** AwaitTermination with a short time. */
public class MainAwaitB {
    static class C {
        int n;
        void inc() {
            n++;
            n++;
        }
        int get() {
            return n + n;
        }
    }
    public static void main(String[] a) throws Exception {
        C c = new C();
        ExecutorService e = Executors.newSingleThreadExecutor();
        e.execute(c::inc);
        e.shutdown();
        e.awaitTermination(1, TimeUnit.MILLISECONDS);
        System.out.println(c.get());
    }
}
