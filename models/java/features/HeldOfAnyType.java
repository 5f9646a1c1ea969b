package features;

/** What is held is not looked at, as clients give it as an object of any type; this is assumed. */
public final class HeldOfAnyType<T> {
    private T held;
    private int count;

    public synchronized void put(T value) {
        held = value;
        count++;
    }

    public synchronized T get() {
        return count == 0 ? null : held;
    }
}
