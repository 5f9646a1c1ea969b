package order;

/** A task that counts how often it was run, until somebody starts anew. */
public class Work implements Runnable {
    private volatile int times;

    @Override
    public void run() {
        times++;
    }

    public void renew() {
        times = 0;
    }
}
