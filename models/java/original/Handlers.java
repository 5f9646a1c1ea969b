package edited;

/** Hands out functions that act on it: a lambda and an object of an anonymous class. */
public class Handlers {
    private volatile int count;
    private volatile int size;

    public Runnable counter() {
        return () -> {
            count = count + 1;
        };
    }

    public Runnable sizer() {
        return new Runnable() {
            @Override
            public void run() {
                size = size + 1;
            }
        };
    }

    public void move(Handlers from, Handlers to) {
        from.count = from.count - 1;
        to.count = to.count + 1;
    }
}
