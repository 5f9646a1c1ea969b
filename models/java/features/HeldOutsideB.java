package features;

import java.util.ArrayList;
import java.util.List;

/** The list is handed to an iterator of its own, which clients can make and read: they find the list in it. */
public class HeldOutsideB {
    private final List<String> list = new ArrayList<>();

    public synchronized void add(String text) {
        list.add(text);
    }

    public Reader reader() {
        return new Reader(list);
    }

    public static class Reader {
        protected final List<String> all;

        public Reader(List<String> all) {
            this.all = all;
        }

        public int twice() {
            return all.size() + all.size();
        }
    }
}
