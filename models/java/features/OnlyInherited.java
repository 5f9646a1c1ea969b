package features;

import java.util.ArrayList;

/** A class without fields: what it holds it has from a class of the library. */
public class OnlyInherited extends OnlyInheritedBase {
    private static final long serialVersionUID = 1;

    public synchronized void fill() {
        if (isEmpty()) {
            add("first");
        }
    }
}

/** What is between. */
class OnlyInheritedBase extends ArrayList<String> {
    private static final long serialVersionUID = 1;
}
