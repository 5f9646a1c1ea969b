package features;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** A flag and a state leave their first value once, by a compare-and-set. */
public class CloseOnceS {
    private enum State { NEW, STARTED, STOPPED }

    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicReference<State> state = new AtomicReference<>(State.NEW);
    private int starts;
    private int closes;

    public void start() {
        if (!state.compareAndSet(State.NEW, State.STARTED)) {
            throw new IllegalStateException();
        }
        starts++;
    }

    public boolean stop() {
        return state.compareAndSet(State.STARTED, State.STOPPED);
    }

    public void close() {
        if (!closed.get() && closed.compareAndSet(false, true)) {
            closes++;
        }
    }
}
