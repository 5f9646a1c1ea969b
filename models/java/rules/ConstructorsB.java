package rules;

import java.util.concurrent.ConcurrentLinkedQueue;

/** Both fields are set without a lock after the constructor, too. */
public class ConstructorsB {
    private static final ConcurrentLinkedQueue<ConstructorsB> ALL = new ConcurrentLinkedQueue<>();
    private int low;
    private int high;

    public ConstructorsB() {
        ALL.add(this);
        low = 1;
        high = 1;
    }

    public void set(int value) {
        low = value;
        high = value;
    }

    public synchronized int span() {
        return high - low;
    }
}
