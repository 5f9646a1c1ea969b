package features;

/** An object that a method has made is published, and then written by other names of it. */
public class NewByOtherNames {
    private static class Cell {
        int a;
        int b;
    }

    private volatile Cell cell = new Cell();

    private Cell make(boolean isCounted) {
        if (isCounted) {
            return new Cell();
        }
        Cell made = new Cell();
        made.a = 1;
        return made;
    }

    private static Cell same(Cell given) {
        return given;
    }

    private void publish(Cell given, int value) {
        cell = given;
        given.a = value;
        given.b = value;
    }

    /** Made by a method of the object, in two places. */
    public void byMethod(int value) {
        Cell made = make(value > 1);
        cell = made;
        made.a = value;
        made.b = value;
    }

    /** Passed to a method that publishes it and goes on. */
    public void byArgument(int value) {
        publish(new Cell(), value);
    }

    /** Published by the name that a call gives back. */
    public void byResult(int value) {
        Cell made = new Cell();
        cell = same(made);
        made.a = value;
        made.b = value;
    }

    /** Of two that are made, either. */
    public void byJoin(int value) {
        Cell made = value > 1 ? new Cell() : new Cell();
        Cell other = value > 2 ? made : null;
        cell = other;
        made.a = value;
        made.b = value;
    }

    public synchronized boolean agrees() {
        Cell seen = cell;
        return seen.a == seen.b;
    }
}
