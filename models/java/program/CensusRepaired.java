package program.census;

/** As Census, but each thread holds the monitor from the number that it finds to the one that it sets. */
public final class CensusRepaired {
    public static void main(String[] arguments) throws InterruptedException {
        Total total = new Total();
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> visit(total));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(total.get());
    }

    private static void visit(Total total) {
        int[] found = new int[1];
        synchronized (total) {
            found[0] = total.get();
            total.set(found[0] + 1);
        }
    }

    private static final class Total {
        private int counted;

        synchronized int get() {
            return counted;
        }

        synchronized void set(int number) {
            counted = number;
        }
    }
}
