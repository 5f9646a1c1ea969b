package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Argument is a stream of objects of the class. */
public class StreamArgB {
    private int a, b;
    public synchronized void set(int k) {
        a = k;
        b = -k;
    }
    public static int sumAll(Stream<StreamArgB> m) {
        return m.mapToInt(c -> c.a + c.b).sum();
    }
}
