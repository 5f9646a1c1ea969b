import java.util.*;

/** A library method calls hashCode of an element of its array. */
public class HashesPart {
    static class E {
        int v;
        public int hashCode() {
            return v++;
        }
    }

    private final E e = new E();
    public int a() {
        return Objects.hash(e, 2);
    }

    public synchronized int z() {
        return e.hashCode();
    }
}
