package features;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A stream of clients adds elements to a list that a function returns. */
public class CollectedOutB {
    private final List<String> all = new ArrayList<>();

    public void act(Stream<String> words) {
        words.collect(() -> all, List::add, List::addAll);
    }

    public synchronized int size() {
        return all.size();
    }

    public synchronized boolean has(String word) {
        return all.contains(word);
    }
}
