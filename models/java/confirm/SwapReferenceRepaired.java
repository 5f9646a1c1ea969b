package confirm;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Repaired: copy on write without a compare-and-set. */
public final class SwapReferenceRepaired {
    private final AtomicReference<List<String>> items = new AtomicReference<>(new ArrayList<>());

    public void add(String item) {
        items.updateAndGet(old -> {
            List<String> copy = new ArrayList<>(old);
            copy.add(item);
            return copy;
        });
    }

    public List<String> items() {
        return items.get();
    }
}
