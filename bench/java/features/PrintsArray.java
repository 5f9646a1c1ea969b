import java.util.*;

/** A library method calls toString of what a list of an array holds. */
public class PrintsArray {
    private static class C {
        int v;
        public String toString() {
            return "" + v + v;
        }
    }

    private final C c = new C();
    public synchronized void mut() {
        c.v++;
    }

    public String b() {
        return Arrays.asList(c).toString();
    }
}
