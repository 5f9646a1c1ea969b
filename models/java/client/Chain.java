package client;

/** A link that the constructor of the next link sets, while others follow it. */
public class Chain {
    private Chain next;

    public Chain(Chain previous) {
        if (previous != null) {
            previous.next = this;
        }
    }

    public synchronized int length() {
        return next == null ? 1 : 1 + next.length();
    }
}
