package features;

import java.util.ArrayList;
import java.util.List;

/** A constructor fills the list that its object has made for itself. */
public class MadeForItselfS {
    private final List<String> names = new ArrayList<>();

    public MadeForItselfS(String first) {
        add(first);
    }

    private void add(String name) {
        names.add(name);
    }

    public static MadeForItselfS of(String first) {
        return new MadeForItselfS(first);
    }

    public synchronized String last() {
        return names.isEmpty() ? "" : names.get(names.size() - 1);
    }
}
