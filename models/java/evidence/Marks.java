package evidence;

import java.util.List;
import java.util.Vector;

/** The list is made once: who has found it does not lose it. */
public class Marks {
    private List<Object> list;

    public synchronized void add(Object mark) {
        if (list == null) {
            list = new Vector<>();
        }
        list.add(mark);
    }

    public boolean has(Object mark) {
        return list != null && list.contains(mark);
    }
}
