package features;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.Map;
import java.util.Set;

/** The same under the lock. */
public class ShownEntryS {
    private final int[] cell = new int[1];
    private int calls;

    public synchronized void add() {
        new Cells(cell).get("only")[0]++;
    }

    public synchronized int count() {
        return ++calls;
    }

    private static final class Cells extends AbstractMap<String, int[]> {
        private final int[] only;

        Cells(int[] only) {
            this.only = only;
        }

        @Override
        public Set<Map.Entry<String, int[]>> entrySet() {
            return Collections.singleton(new AbstractMap.SimpleEntry<>("only", only));
        }
    }
}
