package asercheck.confirm;

import java.util.concurrent.locks.LockSupport;

/** A thread that makes the calls of a side, in one run after the other. */
final class SideThread implements Runnable {
    private final Thread thread;
    private volatile Runnable job;

    SideThread(int side, ClassLoader loader) {
        thread = new Thread(this, "thread " + side);
        thread.setDaemon(true);
        thread.setContextClassLoader(loader);
        thread.start();
    }

    Thread thread() {
        return thread;
    }

    /** Executes an action; the one before has ended. */
    void execute(Runnable action) {
        job = action;
        LockSupport.unpark(thread);
    }

    /** Ends the thread after its action. */
    void end() {
        execute(() -> {
            throw new Scheduler.GivenUp();
        });
    }

    @Override
    public void run() {
        try {
            while (true) {
                Runnable next = job;
                if (next == null) {
                    LockSupport.park();
                    continue;
                }
                job = null;
                next.run();
            }
        } catch (Scheduler.GivenUp ended) {
            return;
        }
    }
}
