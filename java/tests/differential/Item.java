package differential;

import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/** An element, key or value that logs its calls. Items with equal numbers are equal. */
final class Item implements Comparable<Delayed>, Delayed {
    private static int made = 0;

    final int number;

    Item(int number) {
        this.number = number;
    }

    /** An item that is equal to no other item. */
    static synchronized Item fresh() {
        made++;
        return new Item(1_000 + made);
    }

    @Override
    public boolean equals(Object other) {
        return Log.called(this, "equals", () -> other instanceof Item item && item.number == number);
    }

    @Override
    public int hashCode() {
        return Log.called(this, "hashCode", () -> number);
    }

    @Override
    public int compareTo(Delayed other) {
        return Log.called(this, "compareTo", () -> Integer.compare(number, ((Item) other).number));
    }

    @Override
    public String toString() {
        return Log.called(this, "toString", () -> "item" + number);
    }

    @Override
    public long getDelay(TimeUnit unit) {
        return Log.called(this, "getDelay", () -> -1L);
    }
}
