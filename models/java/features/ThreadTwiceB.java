package features;

/** A thread that is also the task of other threads. */
public class ThreadTwiceB extends Thread {
    private int n;

    @Override
    public void run() {
        n++;
    }

    public void again() {
        new Thread(this).start();
    }
}
