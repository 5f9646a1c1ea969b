package confirm;

import java.util.ArrayList;
import java.util.List;

/** Repaired: a list is made lazily, twice. */
public final class LazyInitRepaired {
    private List<String> list;

    public synchronized List<String> instance() {
        if (list == null) {
            list = new ArrayList<>();
        }
        return list;
    }
}
