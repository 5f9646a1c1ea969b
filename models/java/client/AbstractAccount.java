package client;

/** What the accounts have in common. */
abstract class AbstractAccount {
    private int balance;

    public abstract void put(int amount);

    final void add(int amount) {
        balance += amount;
    }
}
