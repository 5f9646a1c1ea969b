import java.util.*;
import java.util.stream.*;

/** A default method of the library calls a method of the object. */
public class DefaultSpliterator implements Iterable<Integer> {
    private int n;
    public Iterator<Integer> iterator() {
        n++;
        return List.of(1).iterator();
    }

    public long st() {
        return StreamSupport.stream(spliterator(), false).count();
    }

    public synchronized int z() {
        return n;
    }
}
