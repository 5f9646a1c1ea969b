package features;

/** The value that was read without the lock is used under it. */
public class RetestB {
    private volatile int count;

    public void next() {
        int before = count;
        if (before >= 0) {
            synchronized (this) {
                if (count >= 0) {
                    count = before + 1;
                }
            }
        }
    }
}
