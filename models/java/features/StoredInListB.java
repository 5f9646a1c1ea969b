package features;

import java.util.List;

/** The array is in a list that is stored before the array is filled. */
public class StoredInListB {
    private volatile List<int[]> held = List.of(new int[2]);

    public int difference() {
        int[] pair = held.get(0);
        return pair[0] - pair[1];
    }

    public void fill(int number) {
        int[] pair = new int[2];
        held = List.of(pair);
        pair[0] = number;
        pair[1] = number;
    }
}
