package features;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.Vector;

/** Code that visits a synchronized list holds its monitor for each element only. */
public class VisitedVectorB {
    private final Vector<Integer> all = new Vector<>();

    public void set(int index, int value) {
        all.set(index, value);
    }

    public int greatest() {
        return Collections.max(all);
    }

    public Set<Integer> copy() {
        return new HashSet<>(all);
    }
}
