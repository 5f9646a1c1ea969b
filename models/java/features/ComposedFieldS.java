package features;

import java.util.function.Consumer;

/** A function of a static field is composed with one that does nothing to the object, locked. */
public class ComposedFieldS {
    private static final Consumer<ComposedFieldS> ADD = of -> of.n++;
    private int n;
    public synchronized void inc() {
        ADD.andThen(of -> {}).accept(this);
    }
    public synchronized int get() {
        return n;
    }
}
