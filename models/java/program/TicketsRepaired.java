package program.tickets;

/** As Tickets, in one synchronized block. */
public final class TicketsRepaired {
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
            for (int i = 0; i < 10; i++) {
                synchronized (LOCK) {
                    if (sold < 100) {
                        sold++;
                    }
                }
            }
        }
    }
}
