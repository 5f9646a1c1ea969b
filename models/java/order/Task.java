package order;

/** A task that counts how often it was run: two threads must run the same one. */
public class Task implements Runnable {
    private volatile int times;

    @Override
    public void run() {
        times++;
    }
}
