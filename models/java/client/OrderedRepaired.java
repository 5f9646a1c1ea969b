package client;

import java.util.concurrent.locks.ReentrantLock;

/** Locks two accounts, the one with the smaller number first; and a lock that is taken only if there is something to do. */
public class OrderedRepaired {
    private final ReentrantLock lock = new ReentrantLock();
    private final long id;
    private final boolean isShared;
    private int balance;
    private int last;
    private int count;

    public OrderedRepaired(long id, boolean isShared) {
        this.id = id;
        this.isShared = isShared;
    }

    public void transfer(OrderedRepaired to, int amount) {
        OrderedRepaired first = this.id < to.id ? this : to;
        OrderedRepaired second = to.id > this.id ? to : this;
        synchronized (first) {
            synchronized (second) {
                if (balance >= amount) {
                    balance -= amount;
                    to.balance += amount;
                }
            }
        }
    }

    public void count(Object what) {
        if (what != null) {
            lock.lock();
        }
        try {
            if (what != null) {
                count++;
            }
        } finally {
            if (what != null) {
                lock.unlock();
            }
        }
    }

    /** The times are counted of what is shared only. */
    public int remember(int now) {
        if (isShared) {
            lock.lock();
        }
        int before = 0;
        if (isShared) {
            before = last;
            last = now;
        }
        if (isShared) {
            lock.unlock();
        }
        return before;
    }
}
