package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** The elements of a stream are hashed. */
public class DistinctB {
    private int n;

    public synchronized void inc() {
        n++;
    }

    private final class Key {
        @Override
        public int hashCode() {
            return n++;
        }
    }

    public long count() {
        return Stream.of(new Key()).distinct().count();
    }
}
