package client;

/** Counts what it asks and what is answered. In between, one number is ahead. What it asks takes more steps than what it does itself. */
public class Crowded implements Asker {
    private int asked;
    private int answered;

    public void ask(Office office) {
        synchronized (this) {
            asked++;
        }
        office.answer(this, 2);
        synchronized (this) {
            answered++;
        }
    }

    @Override
    public synchronized int open() {
        return asked - answered;
    }
}
