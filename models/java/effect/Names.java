package effect;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The last name is asked for in two steps. */
public class Names {
    private final List<String> names = Collections.synchronizedList(new ArrayList<>());

    public void add(String name) {
        names.add(name);
    }

    public void remove(String name) {
        names.remove(name);
    }

    public String first() {
        return names.isEmpty() ? "" : names.get(0);
    }
}
