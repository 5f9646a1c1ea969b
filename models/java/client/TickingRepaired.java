package client;

import java.util.TimerTask;

/** Counts on the thread of its timer, which nobody else does: two threads never run the method at once. */
public class TickingRepaired extends TimerTask {
    private volatile int ticks;

    @Override
    public void run() {
        ticks++;
    }

    public int ticks() {
        return ticks;
    }
}
