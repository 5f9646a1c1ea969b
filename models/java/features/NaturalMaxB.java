package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** The natural order asks the elements. */
public class NaturalMaxB {
    private int n;

    public synchronized void inc() {
        n++;
    }

    private final class Item implements Comparable<Item> {
        @Override
        public int compareTo(Item other) {
            n++;
            return 0;
        }
    }

    public void max() {
        Stream.of(new Item(), new Item()).max(Comparator.naturalOrder());
    }
}
