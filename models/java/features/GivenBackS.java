package features;

import java.util.ArrayList;
import java.util.List;

/** Stores copies of its list in a list of a client. */
public class GivenBackS {
    private final List<String> own = new ArrayList<>();

    public synchronized void store(List<List<String>> lists) {
        lists.add(new ArrayList<>(own));
        List<String> first = lists.get(0);
        first.add("a");
        own.add("b");
        own.add("c");
    }
}
