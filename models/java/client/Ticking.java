package client;

import java.util.TimerTask;

/** Counts on the thread of its timer, and is reset by others in between. */
public class Ticking extends TimerTask {
    private volatile int ticks;

    @Override
    public void run() {
        ticks++;
    }

    public void reset() {
        ticks = 0;
    }
}
