package kinds;

/** A gauge: nobody can see that clear() is torn, but everybody that rise() is. */
public class Gauge {
    private int level;

    public void clear() {
        if (level() != 0) {
            set(0);
        }
    }

    public void rise() {
        set(level() + 1);
    }

    public synchronized int level() {
        return level;
    }

    private synchronized void set(int next) {
        level = next;
    }
}
