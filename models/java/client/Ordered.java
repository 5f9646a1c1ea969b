package client;

/** Locks two accounts, the one with the smaller number first; but looks at the balance before. */
public class Ordered {
    private final int id;
    private int balance;

    public Ordered(int id) {
        this.id = id;
    }

    public void transfer(Ordered to, int amount) {
        Ordered first = id < to.id ? this : to;
        Ordered second = id < to.id ? to : this;
        if (balance < amount) {
            return;
        }
        synchronized (first) {
            synchronized (second) {
                balance -= amount;
                to.balance += amount;
            }
        }
    }
}
