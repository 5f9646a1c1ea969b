package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Argument is a map with objects of the class. */
public class MapArgB {
    private int a, b;
    public synchronized void set(int k) {
        a = k;
        b = -k;
    }
    public static int sumAll(Map<String,MapArgB> m) {
        return m.values().stream().mapToInt(c -> c.a + c.b).sum();
    }
}
