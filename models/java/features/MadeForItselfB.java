package features;

import java.util.ArrayList;
import java.util.List;

/** A constructor fills a list that it gets. */
public class MadeForItselfB {
    private final List<String> names;

    private MadeForItselfB(List<String> names, String first) {
        this.names = names;
        names.add(first);
    }

    public static MadeForItselfB first() {
        return new MadeForItselfB(new ArrayList<>(), "");
    }

    public MadeForItselfB next(String first) {
        return new MadeForItselfB(names, first);
    }

    public synchronized String last() {
        return names.isEmpty() ? "" : names.get(names.size() - 1);
    }
}
