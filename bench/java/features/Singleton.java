/** Methods find the object in a static field. */
public class Singleton {
    static final Singleton ONE = new Singleton();
    private int k;
    private Singleton() {}
    public static Singleton one() {
        return ONE;
    }

    public static int a() {
        return ONE.k;
    }

    public synchronized void inc() {
        k++;
    }

    public static void b() {
        ONE.k--;
    }
}
