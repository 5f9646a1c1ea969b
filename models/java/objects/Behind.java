package objects;

/** Broken: an object within another one. */
public final class Behind {
    private final Cell cell = new Cell();

    public int draw() {
        return cell.next();
    }

    private static final class Cell {
        private volatile int last;

        private Cell() {}

        public int next() {
            return ++last;
        }
    }
}
