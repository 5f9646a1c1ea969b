package evidence;

import java.util.function.IntConsumer;

/** It calls the same method of what it wraps, which may be one like it. */
public class Wrapped implements IntConsumer {
    private final IntConsumer inner;
    private volatile int last;

    public Wrapped(IntConsumer inner) {
        this.inner = inner;
    }

    @Override
    public void accept(int value) {
        inner.accept(value);
        last = last + value;
    }
}
