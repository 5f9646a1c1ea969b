package client;

/** Inherits its field; all methods that change it take the monitor. */
public class AccountRepaired extends AbstractAccount {
    @Override
    public synchronized void put(int amount) {
        add(amount);
    }

    public synchronized void take(int amount) {
        add(-amount);
    }
}
