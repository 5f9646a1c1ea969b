package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** A record that is not followed compares its components. */
public class RecordComponentB {
    private int n;

    public synchronized void inc() {
        n++;
    }

    record Box(Object held) {
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

    public boolean isEqual() {
        return new Box(new Key()).equals(new Box("a"));
    }
}
