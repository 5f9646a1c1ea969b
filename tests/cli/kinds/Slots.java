package kinds;

import java.util.AbstractList;

/** A list whose inherited methods read one slot after the other. */
public class Slots extends AbstractList<Integer> {
    private final int[] slots = new int[2];

    @Override
    public synchronized Integer get(int place) {
        return slots[place];
    }

    @Override
    public int size() {
        return 2;
    }

    public synchronized void fill(int value) {
        slots[0] = value;
        slots[1] = value;
    }
}
