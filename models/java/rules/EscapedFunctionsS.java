package rules;

import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** The function of {@code log} does not call the one that the constructor has passed to other code. */
public class EscapedFunctionsS {
    private int count;

    public EscapedFunctionsS(Consumer<Runnable> registry) {
        registry.accept(() -> up());
    }

    private synchronized void up() {
        count = count + 1;
    }

    public synchronized int get() {
        return count;
    }

    public void log(IntConsumer out) {
        out.accept(get());
    }
}
