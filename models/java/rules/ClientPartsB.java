package rules;

/** Clients get the part and change it without the lock. */
public class ClientPartsB {
    private final Part part = new Part();

    public static class Part {
        private int count;

        public void up() {
            count = count + 1;
        }
    }

    public Part part() {
        return part;
    }

    public synchronized void add() {
        part.up();
    }

    public synchronized int get() {
        return part.count;
    }
}
