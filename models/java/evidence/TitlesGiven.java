package evidence;

import java.util.List;

/** Reads the titles only to lock them: what it writes does not come from there. */
public class TitlesGiven {
    private volatile String[] titles = new String[0];

    public void add(List<String> more) {
        synchronized (titles) {
            titles = more.toArray(new String[0]);
        }
    }

    public String[] get() {
        return titles;
    }
}
