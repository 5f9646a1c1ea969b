package client;

/** What runs in the monitor is a lambda; one of them runs outside. */
public class Guarded {
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
        Runnable action = () -> {
            first = value;
            second = value;
        };
        action.run();
    }
}
