package confirm;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Broken: copy on write without a compare-and-set. */
public final class SwapReference {
    private final AtomicReference<List<String>> items = new AtomicReference<>(new ArrayList<>());

    public void add(String item) {
        List<String> copy = new ArrayList<>(items.get());
        copy.add(item);
        items.set(copy);
    }

    public List<String> items() {
        return items.get();
    }
}
