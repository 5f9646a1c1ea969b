package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Entry.setValue under the lock. */
public class EntrySetS {
    private final Map<String,Integer> m = new HashMap<>();
    public synchronized void put(String k) {
        m.put(k, 1);
    }
    public synchronized void bump() {
        for (Map.Entry<String,Integer> e : m.entrySet()) e.setValue(e.getValue() + 1);
    }
}
