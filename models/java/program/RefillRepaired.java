package program.refill;

/** As Refill, but the pump holds the monitor of the tank from the look to the refill. */
public final class RefillRepaired {
    public static void main(String[] arguments) throws InterruptedException {
        Tank tank = new Tank();
        Thread[] pumps = new Thread[2];
        for (int i = 0; i < pumps.length; i++) {
            pumps[i] = new Thread(new Pump(tank));
            pumps[i].start();
        }
        for (Thread pump : pumps) {
            pump.join();
        }
        System.out.println(tank.level());
    }

    private static final class Tank {
        private int level;

        synchronized int level() {
            return level;
        }

        synchronized void add(int amount) {
            level += amount;
        }
    }

    private static final class Pump implements Runnable {
        private final Tank tank;

        Pump(Tank tank) {
            this.tank = tank;
        }

        @Override
        public void run() {
            synchronized (tank) {
                if (tank.level() == 0) {
                    refill();
                }
            }
        }

        private void refill() {
            tank.add(5);
        }
    }
}
