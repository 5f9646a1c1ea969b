package features;

/** A method never returns; what it writes before its last loop counts. */
public final class EndlessLoopB {
    private int x;
    private int y;

    public void spin() {
        x = 1;
        x = 2;
        while (true) {
            int read = y;
        }
    }

    public void write() {
        x = 3;
    }
}
