package rules;

import java.util.concurrent.ConcurrentLinkedQueue;

/** Nobody uses the object that the constructor publishes before it ends. */
public class ConstructorsS {
    private static final ConcurrentLinkedQueue<ConstructorsS> ALL = new ConcurrentLinkedQueue<>();
    private int low;
    private int high;

    public ConstructorsS() {
        ALL.add(this);
        low = 1;
        high = 1;
    }

    public synchronized void set(int value) {
        low = value;
        high = value;
    }

    public synchronized int span() {
        return high - low;
    }
}
