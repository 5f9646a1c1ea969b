package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** A stream asks an iterator of ints. */
public class PrimitiveIteratorB {
    private int n;

    public synchronized void inc() {
        n++;
    }

    public int sum() {
        PrimitiveIterator.OfInt one = new PrimitiveIterator.OfInt() {
            private boolean isDone;

            public boolean hasNext() {
                return !isDone;
            }

            public int nextInt() {
                isDone = true;
                return n++;
            }
        };
        return StreamSupport.intStream(Spliterators.spliteratorUnknownSize(one, 0), false).sum();
    }
}
