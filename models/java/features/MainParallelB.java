package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Parallel stream on one object. */
public class MainParallelB {
    static class C {
        int n;
        void inc() {
            n++;
        }
    }
    public static void main(String[] a) {
        C c = new C();
        IntStream.range(0, 100).parallel().forEach(i -> c.inc());
    }
}
