package confirm;

import java.util.ArrayList;
import java.util.List;

/** Broken: a list is made lazily, twice. */
public final class LazyInit {
    private List<String> list;

    public List<String> instance() {
        if (list == null) {
            list = new ArrayList<>();
        }
        return list;
    }
}
