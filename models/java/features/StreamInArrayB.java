package features;

import java.util.LinkedList;
import java.util.List;
import java.util.stream.Stream;

/** A stream of a list is used where only the pointer analysis knows what it is of. */
public final class StreamInArrayB {
    private final List<String> names = new LinkedList<>();

    public synchronized void add(String name) {
        names.add(name);
        names.add(name + "!");
    }

    public long count() {
        Stream<?>[] kept = {names.stream()};
        return kept[0].count();
    }
}
