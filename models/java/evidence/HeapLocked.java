package evidence;

/** Makes a heap safe for threads, as long as nobody else uses it. */
public class HeapLocked {
    private final Heap heap;

    public HeapLocked(Heap heap) {
        this.heap = heap;
    }

    public synchronized void add(String one) {
        heap.add(one);
    }

    public synchronized void clear() {
        heap.clear();
    }

    /** This one forgets the lock. */
    public boolean exists() {
        for (String one : heap) {
            if (one == null) {
                return true;
            }
        }
        return false;
    }
}
