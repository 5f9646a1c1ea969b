package features;

import java.util.ArrayList;
import java.util.List;

/** Correct: the list in the static field belongs to that object, and others have lists of their own. */
public class StaticObjectS {
    private static final StaticObjectS COMMON = new StaticObjectS(new ArrayList<>());
    private final List<String> names;

    public StaticObjectS(List<String> names) {
        this.names = names;
    }

    public static StaticObjectS common() {
        return COMMON;
    }

    public synchronized boolean add(String name) {
        return !names.contains(name) && names.add(name);
    }
}
