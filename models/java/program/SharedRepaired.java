package program.shared;

/** One Runnable is run by two threads, and counts in its own fields under its lock. */
public final class SharedRepaired implements Runnable {
    private int count;

    private synchronized int count() {
        return count;
    }

    private synchronized void add() {
        count++;
    }

    @Override
    public void run() {
        for (int i = 0; i < 5; i++) {
            add();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        SharedRepaired shared = new SharedRepaired();
        Thread one = new Thread(shared, "one");
        Thread two = new Thread(shared, "two");
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(shared.count());
    }
}
