import java.util.*;

/** A library object calls toString of what it holds. */
public class PrintsHeld {
    private static class C {
        int v;
        public String toString() {
            return "" + v + v;
        }
    }

    private final C c = new C();
    private final Optional<C> o = Optional.of(c);
    public synchronized void mut() {
        c.v++;
    }

    public String b() {
        return o.toString();
    }
}
