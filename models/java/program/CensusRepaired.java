package program.census;

/** As Census, but each thread holds the monitor from the number that it finds to the one that it sets. */
public final class CensusRepaired {
    private int counted;

    synchronized int counted() {
        return counted;
    }

    synchronized void count(int number) {
        counted = number;
    }

    public static void main(String[] arguments) throws InterruptedException {
        CensusRepaired census = new CensusRepaired();
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> visit(census));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(census.counted());
    }

    private static void visit(CensusRepaired census) {
        int[] found = new int[1];
        synchronized (census) {
            found[0] = census.counted();
            census.count(found[0] + 1);
        }
    }
}
