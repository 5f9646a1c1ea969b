package program.refill;

/** Pumps look whether a tank is empty; another method of theirs, which is not given the tank, refills it. */
public final class Refill {
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
            if (tank.level() == 0) {
                refill();
            }
        }

        private void refill() {
            tank.add(5);
        }
    }
}
