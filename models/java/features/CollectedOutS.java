package features;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A stream of clients adds elements to a list that only this call has. */
public class CollectedOutS {
    private final List<String> all = new ArrayList<>();

    public void act(Stream<String> words) {
        List<String> found = words.collect(ArrayList::new, List::add, List::addAll);
        synchronized (this) {
            all.addAll(found);
        }
    }

    public synchronized boolean has(String word) {
        return all.contains(word);
    }
}
