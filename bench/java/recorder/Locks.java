package recorder;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Locks of {@code java.util.concurrent}: the lock of each side and condition, and the effects of calls. */
final class Locks {
    private static final Set<String> TAKES = Set.of("lock", "lockInterruptibly", "acquire",
        "acquireUninterruptibly", "writeLock", "readLock", "writeLockInterruptibly", "readLockInterruptibly");
    private static final Set<String> TRIES = Set.of("tryLock", "tryAcquire", "tryWriteLock", "tryReadLock");
    private static final Set<String> GIVES = Set.of("unlock", "release", "unlockWrite", "unlockRead",
        "tryUnlockWrite", "tryUnlockRead");
    private static final Map<Object, Object> OWNERS = Collections.synchronizedMap(new IdentityHashMap<>());

    private Locks() {}

    static void clear() {
        OWNERS.clear();
    }

    /** Records the sides of a lock. */
    static void learn(Object object) {
        if (object instanceof ReentrantReadWriteLock lock) {
            OWNERS.put(lock.readLock(), lock);
            OWNERS.put(lock.writeLock(), lock);
        }
    }

    /** Records a new part of a lock. */
    static void learn(Object lock, Object part) {
        if (part instanceof Lock || part instanceof Condition) {
            OWNERS.put(part, owner(lock));
        }
    }

    /** Whether a method of an object is one of a library lock. */
    static boolean isLock(Object object, String method) {
        boolean isKind = object instanceof Lock || object instanceof StampedLock || object instanceof Semaphore;
        return isKind && !isOwn(object, method);
    }

    /** Whether a program class declares the method that a call runs. */
    private static boolean isOwn(Object object, String method) {
        for (Class<?> of = object.getClass(); SubjectLoader.isSubject(of); of = of.getSuperclass()) {
            for (Method own : of.getDeclaredMethods()) {
                if (own.getName().equals(method)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns the lock of which an object is a part. */
    static Object owner(Object object) {
        return OWNERS.getOrDefault(object, object);
    }

    /** Whether a call locks or unlocks for reading. */
    static boolean isReading(Object lock, String method) {
        String side = lock.getClass().getSimpleName();
        return side.startsWith("ReadLock") || method.contains("Read") || method.startsWith("readLock");
    }

    static boolean takes(String method, Object result) {
        boolean isRefused = result instanceof Long stamp && stamp == 0;
        boolean isTry = TRIES.contains(method) && !Boolean.FALSE.equals(result);
        return !isRefused && (TAKES.contains(method) || isTry);
    }

    static boolean gives(String method) {
        return GIVES.contains(method);
    }
}
