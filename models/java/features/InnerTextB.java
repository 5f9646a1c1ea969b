package features;

import java.util.ArrayList;
import java.util.List;

/** The text of a list of lists has the texts of the lists in it. */
public class InnerTextB {
    private final List<List<Integer>> rows = new ArrayList<>(List.of(new ArrayList<>()));

    public synchronized void add() {
        List<Integer> row = rows.get(0);
        row.add(1);
        row.add(2);
    }

    public String text() {
        return rows.toString();
    }
}
