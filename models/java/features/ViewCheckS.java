package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Tests a view and changes the list under the lock. */
public class ViewCheckS {
    private final List<String> l = new ArrayList<>();
    private final List<String> view = Collections.unmodifiableList(l);
    public synchronized void once(String k) {
        if (!view.contains(k)) l.add(k);
    }
    public synchronized void clear() {
        l.clear();
    }
}
