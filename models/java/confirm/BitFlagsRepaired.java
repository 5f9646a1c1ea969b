package confirm;

/** Repaired: bits of one field. */
public final class BitFlagsRepaired {
    private int flags;

    public synchronized void set(int bit) {
        flags |= 1 << bit;
    }

    public synchronized boolean has(int bit) {
        return (flags & 1 << bit) != 0;
    }

    public synchronized int flags() {
        return flags;
    }
}
