package features;

import java.util.LinkedList;
import java.util.List;
import java.util.function.Function;

/** A stream of a list has a function that clients give. */
public final class StreamOfParameterB {
    private final List<String> names = new LinkedList<>();

    public synchronized void add(String name) {
        names.add(name);
        names.add(name + "!");
    }

    public long count(Function<String, String> by) {
        return names.stream().map(by).filter(name -> name != null).count();
    }
}
