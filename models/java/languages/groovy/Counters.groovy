package gr

import groovy.transform.CompileStatic
import groovy.transform.Synchronized

/** Compiled statically: as Java. */
@CompileStatic
class Counter {
    private int count

    synchronized int get() { count }

    synchronized void set(int value) { count = value }

    void increment() { set(get() + 1) }
}

@CompileStatic
class CounterRepaired {
    private int count

    synchronized int get() { count }

    synchronized void set(int value) { count = value }

    synchronized void increment() { set(get() + 1) }
}

/** The annotation takes a lock of its own, which the compiler adds. */
@CompileStatic
class Interval {
    private int low
    private int high

    @Synchronized
    private void low(int by) { low -= by }

    @Synchronized
    private void high(int by) { high += by }

    void widen(int by) {
        low(by)
        high(by)
    }

    @Synchronized
    int width() { high - low }
}

@CompileStatic
class IntervalRepaired {
    private int low
    private int high

    @Synchronized
    void widen(int by) {
        low -= by
        high += by
    }

    @Synchronized
    int width() { high - low }
}

/** Methods are looked up when they are called: nobody can tell from the class file which. */
class Dynamic {
    private int count

    synchronized int get() { count }

    synchronized void set(int value) { count = value }

    void increment() { set(get() + 1) }
}

class DynamicRepaired {
    private int count

    synchronized int get() { count }

    synchronized void set(int value) { count = value }

    synchronized void increment() { set(get() + 1) }
}
