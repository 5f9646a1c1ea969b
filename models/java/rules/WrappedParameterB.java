package rules;

import java.io.Closeable;
import java.io.IOException;

/** Closes the object that it wraps, and lets the lock go between test and write. */
public class WrappedParameterB implements Closeable {
    private final Closeable wrapped;
    private int closed;

    public WrappedParameterB(Closeable wrapped) {
        this.wrapped = wrapped;
    }

    @Override
    public void close() throws IOException {
        synchronized (this) {
            if (closed > 0) {
                return;
            }
        }
        synchronized (this) {
            closed = closed + 1;
        }
        wrapped.close();
    }

    public static Closeable twice(Closeable wrapped) {
        return new WrappedParameterB(new WrappedParameterB(wrapped));
    }
}
