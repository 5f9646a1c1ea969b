package features;

import java.util.LinkedList;
import java.util.List;
import java.util.stream.Stream;

/** A new object, which nobody else gets, has a stream of a list in a field. */
public final class StreamInObjectB {
    private static final class Query {
        private Stream<String> all;

        long run() {
            return all.count();
        }
    }

    private final List<String> names = new LinkedList<>();

    public synchronized void add(String name) {
        names.add(name);
        names.add(name + "!");
    }

    public long count() {
        Query query = new Query();
        query.all = names.stream();
        return query.run();
    }
}
