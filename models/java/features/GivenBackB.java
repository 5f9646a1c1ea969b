package features;

import java.util.ArrayList;
import java.util.List;

/** Stores its list in a list of a client, and gets it back. */
public class GivenBackB {
    private final List<String> own = new ArrayList<>();

    public void store(List<List<String>> lists) {
        lists.add(own);
        List<String> first = lists.get(0);
        first.add("a");
        first.add("b");
    }
}
