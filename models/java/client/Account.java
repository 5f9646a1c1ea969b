package client;

/** Inherits its field; one of the methods that change it takes no monitor. */
public class Account extends AbstractAccount {
    @Override
    public synchronized void put(int amount) {
        add(amount);
    }

    public void take(int amount) {
        add(-amount);
    }
}
