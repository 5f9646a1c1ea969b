package client;

/** All that touches the fields is run in the monitor. */
public class GuardedRepaired {
    private int first;
    private int second;

    private synchronized void guarded(Runnable action) {
        action.run();
    }

    public void swap() {
        guarded(() -> {
            int kept = first;
            first = second;
            second = kept;
        });
    }

    public void both(int value) {
        guarded(() -> {
            first = value;
            second = value;
        });
    }
}
