package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** The keys are what a function gives. */
public class ToMapB {
    private int n;

    public synchronized void inc() {
        n++;
    }

    private final class Key {
        @Override
        public int hashCode() {
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            n++;
            return true;
        }
    }

    public int count() {
        return Stream.of(1, 2).collect(Collectors.toMap(x -> new Key(), x -> x, (a, b) -> a)).size();
    }
}
