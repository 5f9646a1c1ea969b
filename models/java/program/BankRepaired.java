package program.bank.repaired;

/** Two threads deposit into one account, whose deposit is one synchronized method. */
public final class BankRepaired {
    public static void main(String[] arguments) throws InterruptedException {
        Account account = new Account(100);
        Thread one = new Thread(new Client(account));
        Thread two = new Thread(new Client(account));
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(account.balance() + account.deposits());
    }
}

final class Account {
    private int balance;
    private int deposits;

    Account(int balance) {
        this.balance = balance;
    }

    synchronized void deposit(int amount) {
        balance += amount;
        deposits++;
    }

    synchronized int balance() {
        return balance;
    }

    synchronized int deposits() {
        return deposits;
    }
}

final class Client implements Runnable {
    private final Account account;

    Client(Account account) {
        this.account = account;
    }

    @Override
    public void run() {
        for (int i = 0; i < 10; i++) {
            account.deposit(i);
        }
    }
}
