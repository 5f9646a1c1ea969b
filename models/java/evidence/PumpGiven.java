package evidence;

/** As Pump, but what interferes starts nothing. */
public class PumpGiven implements Runnable {
    private volatile int left;

    public void start(int count) {
        left = count;
    }

    @Override
    public void run() {
        while (left > 0) {
            left = left - 1;
        }
    }
}
