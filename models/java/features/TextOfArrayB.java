package features;

import java.util.BitSet;

/** A constructor of the library reads an array element by element. */
public class TextOfArrayB {
    private final long[] words = new long[5];

    public synchronized void set(int first, int second) {
        words[0] = first;
        words[1] = second;
    }

    public BitSet copy() {
        return BitSet.valueOf(words);
    }
}
