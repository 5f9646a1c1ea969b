package features;

import java.util.ArrayList;
import java.util.List;

/** The same under the lock. */
public class InnerTextS {
    private final List<List<Integer>> rows = new ArrayList<>(List.of(new ArrayList<>()));

    public synchronized void add() {
        List<Integer> row = rows.get(0);
        row.add(1);
        row.add(2);
    }

    public synchronized String text() {
        return rows.toString();
    }
}
