package features;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a list holds is run by a reference to a method of an interface of the library. */
public final class OpenReferenceB {
    private final List<Runnable> tasks = new CopyOnWriteArrayList<>();
    private int n;

    public OpenReferenceB() {
        tasks.add(() -> n++);
    }

    public void all() {
        tasks.forEach(Runnable::run);
    }

    public synchronized int n() {
        return n;
    }
}
