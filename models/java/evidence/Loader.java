package evidence;

/** Its beginning is made once, of a new object. */
public class Loader {
    private volatile int limit;
    private volatile int step;

    public void init(int start) {
        limit = start;
        step = limit / 2;
    }

    public int next() {
        return limit + step;
    }

    public static Loader of(int start) {
        Loader loader = new Loader();
        loader.init(start);
        return loader;
    }
}
