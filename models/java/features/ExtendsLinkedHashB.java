package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Access-ordered LinkedHashMap, get under the read lock. */
public class ExtendsLinkedHashB {
    private final Map<String,String> m = new LinkedHashMap<>(16, .75f, true);
    private final ReadWriteLock rw = new ReentrantReadWriteLock();
    public String hit(String k) {
        rw.readLock().lock();
        try {
            return m.get(k);
        } finally {
            rw.readLock().unlock();
        }
    }
    public void put(String k) {
        rw.writeLock().lock();
        try {
            m.put(k, k);
        } finally {
            rw.writeLock().unlock();
        }
    }
}
