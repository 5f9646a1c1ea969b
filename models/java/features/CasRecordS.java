package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** What is swapped never changes. */
public class CasRecordS {
    private record Pair(int a, int b) {
    }

    private final AtomicReference<Pair> pair = new AtomicReference<>(new Pair(0, 0));

    public void move() {
        Pair old;
        Pair moved;
        do {
            old = pair.get();
            moved = new Pair(old.a() + 1, old.b() - 1);
        } while (!pair.compareAndSet(old, moved));
    }

    public int sum() {
        Pair now = pair.get();
        return now.a() + now.b();
    }
}
