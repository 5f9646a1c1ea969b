package program.tickets;

/** Agents sell tickets that static fields count; the test and the sale are two synchronized blocks. */
public final class Tickets {
    private static final Object LOCK = new Object();
    private static int sold;

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] agents = new Thread[3];
        for (int i = 0; i < agents.length; i++) {
            agents[i] = new Thread(new Agent());
            agents[i].start();
        }
        for (Thread agent : agents) {
            agent.join();
        }
        System.out.println(sold);
    }

    private static final class Agent implements Runnable {
        @Override
        public void run() {
            boolean isLeft;
            synchronized (LOCK) {
                isLeft = sold < 100;
            }
            if (isLeft) {
                synchronized (LOCK) {
                    sold++;
                }
            }
        }
    }
}
