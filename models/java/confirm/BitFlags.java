package confirm;

/** Broken: bits of one field. */
public final class BitFlags {
    private int flags;

    public void set(int bit) {
        flags |= 1 << bit;
    }

    public synchronized boolean has(int bit) {
        return (flags & 1 << bit) != 0;
    }

    public synchronized int flags() {
        return flags;
    }
}
