package client;

/** To be volatile is not enough to count. */
public class Visits {
    private volatile int count;

    public int next() {
        return ++count;
    }
}
