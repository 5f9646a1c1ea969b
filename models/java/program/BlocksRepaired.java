package program.blocks.repaired;

/** Which blocks of a disk are taken. A worker asks for a free one and takes it while it holds the lock of them all. */
public final class BlocksRepaired {
    private final boolean[] taken = new boolean[100];

    public synchronized int free() {
        for (int i = 0; i < taken.length; i++) {
            if (!taken[i]) {
                return i;
            }
        }
        return -1;
    }

    public synchronized void take(int block) {
        taken[block] = true;
    }

    public static void main(String[] arguments) {
        BlocksRepaired blocks = new BlocksRepaired();
        for (int i = 0; i < 2; i++) {
            new Thread(new Worker(blocks)).start();
        }
    }
}

final class Worker implements Runnable {
    private final BlocksRepaired blocks;
    private final int[] own = new int[10];

    Worker(BlocksRepaired blocks) {
        this.blocks = blocks;
    }

    @Override
    public void run() {
        for (int i = 0; i < own.length; i++) {
            synchronized (blocks) {
                own[i] = blocks.free();
                if (own[i] >= 0) {
                    blocks.take(own[i]);
                }
            }
        }
    }
}
