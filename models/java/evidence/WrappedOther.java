package evidence;

import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/** As Wrapped, but it calls another method of what it wraps. */
public class WrappedOther implements IntConsumer {
    private final LongConsumer inner;
    private volatile int last;

    public WrappedOther(LongConsumer inner) {
        this.inner = inner;
    }

    @Override
    public void accept(int value) {
        inner.accept(value);
        last = last + value;
    }
}
