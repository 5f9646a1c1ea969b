package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Mutable object in a static final, locked. */
public class StaticFinalMapS {
    private static final Map<String,Integer> M = new HashMap<>();
    public static synchronized int get(String k) {
        return M.getOrDefault(k, 0);
    }
    public static synchronized void inc(String k) {
        M.put(k, M.getOrDefault(k, 0) + 1);
    }
}
