package features;

import java.util.ArrayList;
import java.util.List;

/** A reference to a method of the library is applied to lists in a list. */
public class InnerReferenceB {
    private final List<List<Integer>> rows = new ArrayList<>(List.of(new ArrayList<>()));

    public synchronized void add() {
        List<Integer> row = rows.get(0);
        row.add(1);
        row.add(2);
    }

    public int count() {
        return rows.stream().mapToInt(List::size).sum();
    }
}
