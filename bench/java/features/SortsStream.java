import java.util.*;
import java.util.stream.*;

/** A stream compares what it sorts. */
public class SortsStream {
    private static class C implements Comparable<C> {
        int v;
        public int compareTo(C o) {
            return v - o.v;
        }
    }

    private final C a = new C(), b = new C();
    private final List<C> l = List.of(a, b);
    public synchronized void mut() {
        a.v++;
        b.v++;
    }

    public int e() {
        return l.stream().sorted().toList().size();
    }
}
