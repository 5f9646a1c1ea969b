package client;

/** Counts what it asks and what is answered. Both change under one lock. What it asks takes more steps than what it does itself. */
public class CrowdedRepaired implements Asker {
    private int asked;
    private int answered;

    public synchronized void ask(Office office) {
        office.answer(this, 2);
        asked++;
        answered++;
    }

    @Override
    public synchronized int open() {
        return asked - answered;
    }
}
