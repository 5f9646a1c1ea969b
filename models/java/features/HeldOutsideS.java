package features;

import java.util.ArrayList;
import java.util.List;

/** The same with a copy. */
public class HeldOutsideS {
    private final List<String> list = new ArrayList<>();

    public synchronized void add(String text) {
        list.add(text);
    }

    public synchronized Reader reader() {
        return new Reader(new ArrayList<>(list));
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
