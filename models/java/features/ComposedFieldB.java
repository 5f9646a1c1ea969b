package features;

import java.util.function.Consumer;

/** A function of a static field is composed with one that does nothing to the object. */
public class ComposedFieldB {
    private static final Consumer<ComposedFieldB> ADD = of -> of.n++;
    private int n;
    public void inc() {
        ADD.andThen(of -> {}).accept(this);
    }
    public synchronized int get() {
        return n;
    }
}
