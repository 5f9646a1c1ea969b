import java.util.concurrent.*;

/** A task may be run by the thread that joins it. */
public class JoinsTask {
    private int n;
    class T extends RecursiveTask<Integer> {
        protected Integer compute() {
            return n++;
        }
    }

    public int e() {
        synchronized (this) {
            n++;
        }
        return new T().fork().join();
    }

    public synchronized int z() {
        return n;
    }
}
