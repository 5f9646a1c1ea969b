package evidence;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Copies the titles, and locks them only to write the copy back: it may be old by then. */
public class Titles {
    private volatile String[] titles = new String[0];

    public void add(List<String> more) {
        List<String> all = copy();
        all.addAll(more);
        synchronized (titles) {
            titles = all.toArray(new String[0]);
        }
    }

    private List<String> copy() {
        return new ArrayList<>(Arrays.asList(titles));
    }

    public String[] get() {
        return titles;
    }
}
