package evidence;

import java.util.List;
import java.util.Vector;

/** The list is taken away between the test and its use. */
public class MarksCleared {
    private List<Object> list;

    public synchronized void add(Object mark) {
        if (list == null) {
            list = new Vector<>();
        }
        list.add(mark);
    }

    public synchronized void clear() {
        list = null;
    }

    public boolean has(Object mark) {
        return list != null && list.contains(mark);
    }
}
