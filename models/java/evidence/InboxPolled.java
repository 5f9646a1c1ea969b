package evidence;

/** As Inbox, but it only looks again. */
public class InboxPolled {
    private int count;

    public synchronized void put() {
        count++;
        notifyAll();
    }

    public int await(int least) {
        while (count < least) {
            Thread.onSpinWait();
        }
        return count;
    }
}
