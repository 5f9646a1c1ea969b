package rules;

/** Correct: one thread offers, and one thread polls. */
public class QueueRolesSpscS {
    private volatile int offered;
    private volatile int polled;

    public void offer(Object item) {
        offered = offered + 1;
    }

    public void poll() {
        polled = polled + 1;
    }
}
