package evidence;

/** As Loader, but it begins again. */
public class LoaderAgain {
    private volatile int limit;
    private volatile int step;

    public void init(int start) {
        limit = start;
        step = limit / 2;
    }

    public int next() {
        return limit + step;
    }

    public static LoaderAgain of(int start) {
        LoaderAgain loader = new LoaderAgain();
        loader.init(start);
        return loader;
    }

    public static void again(LoaderAgain loader, int start) {
        loader.init(start);
    }
}
