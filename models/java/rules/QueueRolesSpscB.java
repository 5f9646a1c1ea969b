package rules;

/** Broken: the thread that offers and the one that polls both count the items. */
public class QueueRolesSpscB {
    private volatile int size;

    public void offer(Object item) {
        size = size + 1;
    }

    public void poll() {
        size = size - 1;
    }
}
