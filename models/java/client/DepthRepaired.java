package client;

/** Recursion in the monitor, which is entered again at each level. */
public class DepthRepaired {
    private int depth;
    private int deepest;

    public synchronized void descend(int levels) {
        depth++;
        if (levels > 0) {
            descend(levels - 1);
        }
        if (depth > deepest) {
            deepest = depth;
        }
        depth--;
    }
}
