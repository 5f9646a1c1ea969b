package evidence;

/** What it starts runs after it has been set up. */
public class Pump implements Runnable {
    private volatile Thread thread;
    private volatile int left;

    public void start(int count) {
        left = count;
        thread = new Thread(this);
        thread.start();
    }

    @Override
    public void run() {
        while (left > 0) {
            left = left - 1;
        }
    }
}
