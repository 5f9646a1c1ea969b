package features;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** As CloseOnceS, but the state may become new again, and then starts twice. */
public class CloseOnceB {
    private enum State { NEW, STARTED }

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

    public boolean reset() {
        return state.compareAndSet(State.STARTED, State.NEW);
    }

    public void close() {
        if (!closed.get() && closed.compareAndSet(false, true)) {
            closes++;
        }
    }
}
