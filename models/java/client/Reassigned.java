package client;

/** Tests a variable twice, but assigns it in between. */
public class Reassigned {
    private volatile int count;

    public void add(int sign) {
        int before = 0;
        if (sign > 0) {
            before = count;
        }
        sign = -sign;
        if (sign > 0) {
            return;
        }
        count = before + 1;
    }
}
