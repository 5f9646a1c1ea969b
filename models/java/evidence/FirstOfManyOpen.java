package evidence;

/** A constant is one of many objects, which do not lock themselves to start. Whose worker a worker is, is not seen. */
public class FirstOfManyOpen {
    public static final FirstOfManyOpen FIRST = new FirstOfManyOpen();

    private Worker worker;
    private volatile boolean isOver;

    public void start() {
        if (worker == null) {
            worker = new Worker();
            worker.start();
        }
    }

    public synchronized void end() {
        isOver = true;
        worker = null;
    }

    public static synchronized void begin() {
        FIRST.start();
    }

    private final class Worker extends Thread {
        @Override
        public void run() {
            while (!isOver) {
                Thread.onSpinWait();
            }
        }
    }
}
