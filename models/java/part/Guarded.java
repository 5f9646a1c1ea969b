package part;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Safe for threads: another class acquires and releases its lock for it. */
public final class Guarded {
    private final Gate gate = new Gate();
    private int count;
    private int sum;
    private int asked;

    public void add(int value) {
        gate.enter();
        try {
            count++;
            sum += value;
        } finally {
            gate.leave();
        }
    }

    public int mean() {
        gate.enter();
        try {
            return count == 0 ? 0 : sum / count;
        } finally {
            gate.leave();
        }
    }

    public synchronized int asked() {
        return ++asked;
    }

    /** What is called here is large. */
    public int checked() {
        int mean = mean();
        return Checks.first(this, mean);
    }
}

/** Not safe: the lock is left too early. */
final class Unguarded {
    private final Gate gate = new Gate();
    private int count;

    public synchronized int count() {
        return count;
    }

    public void add() {
        int before;
        gate.enter();
        try {
            before = count;
        } finally {
            gate.leave();
        }
        gate.enter();
        try {
            count = before + 1;
        } finally {
            gate.leave();
        }
    }

    public int checked() {
        return Checks.first(this, count());
    }
}

/** Handles a lock. */
final class Holder {
    private final Lock lock = new ReentrantLock();

    void open() {
        lock.lock();
    }

    void close() {
        lock.unlock();
    }
}

/** What others enter and leave. */
final class Gate {
    private final Holder holder = new Holder();

    void enter() {
        holder.open();
    }

    void leave() {
        holder.close();
    }
}

/** A chain of methods that get an object and do nothing to it. */
final class Checks {
    private Checks() {}

    static int first(Object checked, int value) {
        return checked.hashCode() > value ? check1(checked, value - 1) : value;
    }

    static int check1(Object checked, int value) {
        return checked.hashCode() > value ? check2(checked, value - 2) : value;
    }

    static int check2(Object checked, int value) {
        return checked.hashCode() > value ? check3(checked, value - 3) : value;
    }

    static int check3(Object checked, int value) {
        return checked.hashCode() > value ? check4(checked, value - 4) : value;
    }

    static int check4(Object checked, int value) {
        return checked.hashCode() > value ? check5(checked, value - 5) : value;
    }

    static int check5(Object checked, int value) {
        return checked.hashCode() > value ? check6(checked, value - 6) : value;
    }

    static int check6(Object checked, int value) {
        return checked.hashCode() > value ? check7(checked, value - 7) : value;
    }

    static int check7(Object checked, int value) {
        return checked.hashCode() > value ? check8(checked, value - 8) : value;
    }

    static int check8(Object checked, int value) {
        return checked.hashCode() > value ? check9(checked, value - 9) : value;
    }

    static int check9(Object checked, int value) {
        return checked.hashCode() > value ? check10(checked, value - 10) : value;
    }

    static int check10(Object checked, int value) {
        return checked.hashCode() > value ? check11(checked, value - 11) : value;
    }

    static int check11(Object checked, int value) {
        return checked.hashCode() > value ? check12(checked, value - 12) : value;
    }

    static int check12(Object checked, int value) {
        return checked.hashCode() > value ? check13(checked, value - 13) : value;
    }

    static int check13(Object checked, int value) {
        return checked.hashCode() > value ? check14(checked, value - 14) : value;
    }

    static int check14(Object checked, int value) {
        return checked.hashCode() > value ? check15(checked, value - 15) : value;
    }

    static int check15(Object checked, int value) {
        return checked.hashCode() > value ? check16(checked, value - 16) : value;
    }

    static int check16(Object checked, int value) {
        return checked.hashCode() > value ? check17(checked, value - 17) : value;
    }

    static int check17(Object checked, int value) {
        return checked.hashCode() > value ? check18(checked, value - 18) : value;
    }

    static int check18(Object checked, int value) {
        return checked.hashCode() > value ? check19(checked, value - 19) : value;
    }

    static int check19(Object checked, int value) {
        return checked.hashCode() > value ? check20(checked, value - 20) : value;
    }

    static int check20(Object checked, int value) {
        return checked.hashCode() > value ? check21(checked, value - 21) : value;
    }

    static int check21(Object checked, int value) {
        return checked.hashCode() > value ? check22(checked, value - 22) : value;
    }

    static int check22(Object checked, int value) {
        return checked.hashCode() > value ? check23(checked, value - 23) : value;
    }

    static int check23(Object checked, int value) {
        return checked.hashCode() + value;
    }
}
