package features;

import java.util.Arrays;

/** The text of an array of arrays, to the last number. */
public class InnerArrayB {
    private final int[][] table = new int[2][2];

    public synchronized void inc() {
        table[0][0]++;
        table[0][1]++;
    }

    public String text() {
        return Arrays.deepToString(table);
    }
}
