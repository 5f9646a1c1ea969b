package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** NewKeySet: remove only. */
public class ChmKeySetS {
    private final Set<String> s = ConcurrentHashMap.newKeySet();
    public void add(String k) {
        s.add(k);
    }
    public boolean drop(String k) {
        return s.remove(k);
    }
}
