package program.census;

/** Threads count: each keeps the number that it finds in an array, and sets the next one later. */
public final class Census {
    private int counted;

    synchronized int counted() {
        return counted;
    }

    synchronized void count(int number) {
        counted = number;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Census census = new Census();
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

    private static void visit(Census census) {
        int[] found = new int[1];
        found[0] = census.counted();
        census.count(found[0] + 1);
    }
}
