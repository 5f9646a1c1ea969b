package features;

import java.util.List;

/** The array is filled while only a local variable has the list. */
public class StoredInListS {
    private volatile List<int[]> held = List.of(new int[2]);

    public int difference() {
        int[] pair = held.get(0);
        return pair[0] - pair[1];
    }

    public void fill(int number) {
        int[] pair = new int[2];
        List<int[]> list = List.of(pair);
        pair[0] = number;
        pair[1] = number;
        held = list;
    }
}
