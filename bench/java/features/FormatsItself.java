/** A library method calls toString of the object. */
public class FormatsItself {
    private int n, m;
    public String toString() {
        return "C" + n + m;
    }

    public synchronized void inc() {
        n++;
        m++;
    }

    private String a() {
        return String.format("%s", this);
    }

    public static String b(FormatsItself f) {
        return f.a();
    }

    public synchronized int z() {
        return n;
    }
}
