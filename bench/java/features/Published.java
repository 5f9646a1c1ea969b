import java.util.*;

/** A static method finds the object, which its constructor has published. */
public class Published {
    static final List<Published> ALL = new ArrayList<>();
    private int n;
    public Published() {
        synchronized (ALL) {
            ALL.add(this);
        }
    }

    public synchronized void inc() {
        n++;
    }

    public static void poke() {
        synchronized (ALL) {
            for (Published p : ALL) p.n++;
        }
    }
}
