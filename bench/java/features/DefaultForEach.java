import java.util.*;

/** A default method of the library calls a method of an inner object. */
public class DefaultForEach {
    private static class I implements Iterable<Integer> {
        int n;
        public Iterator<Integer> iterator() {
            n++;
            return List.of(1).iterator();
        }
    }

    private final I i = new I();
    public void st() {
        i.forEach(x -> {});
    }

    public synchronized int z() {
        return i.n;
    }

    public synchronized void w() {
        i.iterator();
    }
}
