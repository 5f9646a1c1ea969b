package features;

import java.util.ArrayList;
import java.util.List;

/** Broken: any thread adds to the list of the object in the static field. */
public class StaticObjectB {
    private static final StaticObjectB COMMON = new StaticObjectB(new ArrayList<>());
    private final List<String> names;

    public StaticObjectB(List<String> names) {
        this.names = names;
    }

    public static StaticObjectB common() {
        return COMMON;
    }

    public boolean add(String name) {
        return !names.contains(name) && names.add(name);
    }
}
