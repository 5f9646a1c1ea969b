package confirm;

import java.util.ArrayList;
import java.util.List;

/** Broken: a list without a lock. */
public final class ListUnlocked {
    private final List<String> list = new ArrayList<>();

    public void add(String item) {
        list.add(item);
    }

    public synchronized List<String> items() {
        return new ArrayList<>(list);
    }
}
