package features;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The same under the lock. */
public final class OpenReferenceS {
    private final List<Runnable> tasks = new CopyOnWriteArrayList<>();
    private int n;

    public OpenReferenceS() {
        tasks.add(() -> n++);
    }

    public synchronized void all() {
        tasks.forEach(Runnable::run);
    }

    public synchronized int n() {
        return n;
    }
}
