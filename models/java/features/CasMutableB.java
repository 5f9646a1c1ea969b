package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** What is swapped changes. */
public class CasMutableB {
    private static final class Pair {
        int a;
        int b;
    }

    private final AtomicReference<Pair> pair = new AtomicReference<>(new Pair());

    public void move() {
        Pair old;
        Pair moved;
        do {
            old = pair.get();
            moved = new Pair();
            moved.a = old.a + 1;
            moved.b = old.b - 1;
        } while (!pair.compareAndSet(old, moved));
        moved.a++;
        moved.b--;
    }

    public int sum() {
        Pair now = pair.get();
        return now.a + now.b;
    }
}
