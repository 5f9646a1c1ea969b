/** A library method calls toString of an element of its array. */
public class FormatsPart {
    private int n;
    static class E {
        int v;
        public String toString() {
            return "" + v++;
        }
    }

    private final E e = new E();
    public String a() {
        return String.format("%s", e);
    }

    public synchronized String z() {
        return e.toString();
    }
}
