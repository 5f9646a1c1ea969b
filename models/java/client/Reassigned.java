package client;

/** Tests a variable twice, but assigns it in between. */
public class Reassigned {
    private volatile int count;

    public void add(int times) {
        int before = 0;
        if (times > 0) {
            before = count;
        }
        times--;
        if (times > 0) {
            return;
        }
        count = before + 1;
    }
}
