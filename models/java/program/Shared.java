package program.shared;

/** One Runnable is run by two threads, and counts in its own fields. */
public final class Shared implements Runnable {
    private int count;

    private synchronized int count() {
        return count;
    }

    private synchronized void set(int count) {
        this.count = count;
    }

    @Override
    public void run() {
        for (int i = 0; i < 5; i++) {
            set(count() + 1);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Shared shared = new Shared();
        Thread one = new Thread(shared, "one");
        Thread two = new Thread(shared, "two");
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(shared.count());
    }
}
