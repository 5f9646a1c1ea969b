package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** A collector hashes the elements. */
public class ToSetB {
    private static final class Item {
        int v;
        int w;

        @Override
        public int hashCode() {
            return v + w;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Item item && item.v == v && item.w == w;
        }
    }

    private final List<Item> items = List.of(new Item(), new Item());

    public synchronized void inc() {
        for (Item item : items) {
            item.v++;
            item.w--;
        }
    }

    public int count() {
        return items.stream().collect(Collectors.toSet()).size();
    }
}
