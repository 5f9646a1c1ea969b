package features;

import java.util.ArrayList;
import java.util.List;

/** A list that is looked for in a list of lists is compared with each of them. */
public class InnerEqualB {
    private final List<List<Integer>> rows = new ArrayList<>(List.of(new ArrayList<>()));

    public synchronized void add() {
        List<Integer> row = rows.get(0);
        row.add(1);
        row.add(2);
    }

    public boolean has(List<Integer> row) {
        return rows.contains(row);
    }
}
