package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;
import java.util.stream.*;

/** An operator of the library compares what it updates. */
public class UpdateByMaxB {
    private static final class Cell {
        private int v;
        private int w;
    }

    private static final class Sum implements Comparable<Sum> {
        private final Cell cell;

        Sum(Cell cell) {
            this.cell = cell;
        }

        @Override
        public int compareTo(Sum other) {
            return cell.v + cell.w;
        }
    }

    private final Cell cell = new Cell();

    public synchronized void move() {
        cell.v++;
        cell.w--;
    }

    public boolean most() {
        Sum sum = new Sum(cell);
        return new AtomicReference<>(sum).accumulateAndGet(sum, BinaryOperator.maxBy(Comparator.naturalOrder())) == sum;
    }
}
