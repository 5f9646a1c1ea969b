package asercheck.confirm;

import java.util.Arrays;

/** One of the two scheduled threads in a run: its state, the locks that it holds, and its accesses so far. */
final class Side {
    /** The largest number of accesses that are recorded; later ones are no points of a switch. */
    static final int MAX_RECORDED = 20_000;
    /** The index of an access that is not to one element. */
    static final int WHOLE = -1;

    enum State {
        RUNNING,
        /** It waits for a monitor that the other side holds. */
        BLOCKED,
        /** The Java machine has blocked it, in a synchronized method of the class library. */
        BLOCKED_BY_MACHINE,
        PARKED, PARKED_TIMED, WAITING, WAITING_TIMED, ENDED
    }

    /** 1 or 2. */
    final int number;
    volatile Thread thread;
    /** Whether it takes no more part in the run. */
    volatile boolean isDone;
    volatile State state = State.RUNNING;
    /** The object on which it is blocked or waits. */
    volatile Object on;
    volatile boolean hasPermit;
    /** Whether a wait has been notified, or its time is over. */
    volatile boolean isWoken;
    /** Hooks have no effect while this is positive. */
    int off;

    /** The number of hooks so far, and what was recorded of them. */
    int count;
    Object[] objects = new Object[256];
    int[] sites = new int[256];
    int[] indices = new int[256];

    private Object[] held = new Object[16];
    private int heldCount;
    /** How often a wait has given up its monitor. */
    private int released;
    /** The number of hooks when it left the monitor on which the other side was blocked; -1 if that never was. */
    int releasedAt;

    /** The number of the call that is being made; the hook, the call and the point at which the side stops. */
    int call;
    int stopEvent;
    int stopCall;
    Point stopPoint;
    int occurrence;

    Side(int number) {
        this.number = number;
    }

    void reset(Thread newThread) {
        thread = newThread;
        state = State.RUNNING;
        on = null;
        hasPermit = false;
        isWoken = false;
        isDone = false;
        off = 1;
        Arrays.fill(objects, 0, Math.min(count, objects.length), null);
        count = 0;
        Arrays.fill(held, 0, heldCount, null);
        heldCount = 0;
        released = 0;
        releasedAt = -1;
        call = 0;
        clearStop();
    }

    void clearStop() {
        stopEvent = -1;
        stopCall = -1;
        stopPoint = null;
        occurrence = 0;
    }

    /** Returns the number of recorded accesses. */
    int recorded() {
        return Math.min(count, MAX_RECORDED);
    }

    void record(Object object, int site, int index) {
        int place = count++;
        if (place >= MAX_RECORDED) {
            return;
        }
        if (place == sites.length) {
            int size = 2 * place;
            objects = Arrays.copyOf(objects, size);
            sites = Arrays.copyOf(sites, size);
            indices = Arrays.copyOf(indices, size);
        }
        objects[place] = object;
        sites[place] = site;
        indices[place] = index;
    }


    void enter(Object lock) {
        if (heldCount == held.length) {
            held = Arrays.copyOf(held, 2 * heldCount);
        }
        held[heldCount++] = lock;
    }

    void exit(Object lock) {
        for (int i = heldCount - 1; i >= 0; i--) {
            if (held[i] == lock) {
                System.arraycopy(held, i + 1, held, i, heldCount - i - 1);
                held[--heldCount] = null;
                return;
            }
        }
    }

    /** Gives up a monitor for a wait. */
    void releaseAll(Object lock) {
        int times = 0;
        while (holds(lock)) {
            exit(lock);
            times++;
        }
        released = times;
    }

    /** Has the monitor again after a wait. */
    void takeBack(Object lock) {
        for (int times = released; times > 0; times--) {
            enter(lock);
        }
        released = 0;
    }

    boolean holds(Object lock) {
        for (int i = 0; i < heldCount; i++) {
            if (held[i] == lock) {
                return true;
            }
        }
        return false;
    }

    boolean holdsAny() {
        return heldCount > 0;
    }
}
