package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;
import java.util.stream.*;

/** A lambda is iterated over; its iterator counts. */
public class IterableLambdaB {
    private int n;

    private final class Three implements Iterator<Integer> {
        private int k;

        @Override
        public boolean hasNext() {
            n++;
            return k < 3;
        }

        @Override
        public Integer next() {
            return k++;
        }
    }

    public void go() {
        Iterable<Integer> three = () -> new Three();
        three.forEach(x -> { });
    }

    public synchronized void inc() {
        n++;
    }
}
