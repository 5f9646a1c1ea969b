package client;

/** Tests twice what others change in between. */
public class Switched {
    static final class Switch {
        boolean isOn;

        void flip() {
            isOn = !isOn;
        }
    }

    private volatile int count;

    public void add(Switch one) {
        int before = 0;
        if (one.isOn) {
            before = count;
        }
        if (one.isOn) {
            return;
        }
        count = before + 1;
    }
}
