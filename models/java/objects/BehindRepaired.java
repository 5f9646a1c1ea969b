package objects;

/** Correct: an object within another one. */
public final class BehindRepaired {
    private final Cell cell = new Cell();

    public int draw() {
        return cell.next();
    }

    private static final class Cell {
        private volatile int last;

        private Cell() {}

        public synchronized int next() {
            return ++last;
        }
    }
}
