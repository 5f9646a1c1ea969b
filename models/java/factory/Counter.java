package factory;

/** Thread-safe by itself; clients also get objects of a subclass that is not. */
public class Counter {
    private int count;

    public synchronized void add() {
        count = count + 1;
    }

    public synchronized int get() {
        return count;
    }

    public static Counter create() {
        return new Fast();
    }
}
