package evidence;

/** A constant is one of many objects, each of which locks itself. Whose worker a worker is, is not seen. */
public class FirstOfMany {
    public static final FirstOfMany FIRST = new FirstOfMany();

    private Worker worker;
    private volatile boolean isOver;

    public synchronized void start() {
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
