package features;

/** A part makes an inner function of itself before it is stored. */
public class InnerHoldsPartS {
    private static final class Part {
        private int first;
        private int second;
        private final Runnable step = () -> step();

        Part(int number) {
            first = number;
            second = number;
        }

        private void step() {
            first++;
            second++;
        }
    }

    private volatile Part part = new Part(1);

    public void set(int number) {
        part = new Part(number);
    }

    public boolean has() {
        Part known = part;
        return known != null;
    }
}
