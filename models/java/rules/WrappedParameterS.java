package rules;

import java.io.Closeable;
import java.io.IOException;

/** Closes the object that it wraps, which is not itself. */
public class WrappedParameterS implements Closeable {
    private final Closeable wrapped;
    private int closed;

    public WrappedParameterS(Closeable wrapped) {
        this.wrapped = wrapped;
    }

    @Override
    public void close() throws IOException {
        synchronized (this) {
            if (closed > 0) {
                return;
            }
            closed = closed + 1;
        }
        wrapped.close();
    }

    public static Closeable twice(Closeable wrapped) {
        return new WrappedParameterS(new WrappedParameterS(wrapped));
    }
}
