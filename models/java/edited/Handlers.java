package edited;

/** The same with a lambda and an anonymous class before the others, so that compilers number those otherwise. */
public class Handlers {
    private volatile int count;
    private volatile int size;

    public Runnable setter() {
        return () -> {
            count = 7;
        };
    }

    public Runnable resizer() {
        return new Runnable() {
            @Override
            public void run() {
                size = 7;
            }
        };
    }

    public Runnable counter() {
        Runnable none = () -> { };
        none.run();
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
