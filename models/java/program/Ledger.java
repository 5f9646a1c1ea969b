package program.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;

/** Accounts in a list; a timer's task moves money from one to another, and the audit in the main thread sees it gone. */
public final class Ledger {
    static final class Account {
        private int balance;
        private int moves;

        synchronized void add(int amount) {
            balance += amount;
            moves++;
        }

        int average() {
            int sum = balance;
            return moves == 0 ? sum : sum / moves;
        }
    }

    public static void main(String[] arguments) {
        List<Account> accounts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            accounts.add(new Account());
        }
        new Timer().schedule(new TimerTask() {
            @Override
            public void run() {
                for (Account account : accounts) {
                    account.add(1);
                }
            }
        }, 1000);
        for (Account account : accounts) {
            System.out.println(account.average());
        }
    }
}
