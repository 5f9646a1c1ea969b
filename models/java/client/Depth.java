package client;

/** Recursion that takes the monitor at each level, and lets it go between the levels. */
public class Depth {
    private int depth;
    private int deepest;

    private synchronized void enter() {
        depth++;
    }

    private synchronized void leave() {
        if (depth > deepest) {
            deepest = depth;
        }
        depth--;
    }

    public void descend(int levels) {
        enter();
        if (levels > 0) {
            descend(levels - 1);
        }
        leave();
    }
}
