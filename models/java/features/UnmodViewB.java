package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Read through an unmodifiable view without lock. */
public class UnmodViewB {
    private final List<Integer> l = new ArrayList<>();
    private final List<Integer> view = Collections.unmodifiableList(l);
    public synchronized void put(int k) {
        l.add(k);
        l.add(-k);
    }
    public int sum() {
        int s = 0;
        for (int i = 0; i < view.size(); i++) s += view.get(i);
        return s;
    }
}
