package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Constructor publishes this and goes on. */
public class ObserverThisB {
    static final List<ObserverThisB> ALL = new CopyOnWriteArrayList<>();
    private int n;
    public ObserverThisB() {
        ALL.add(this);
        n = 1;
        n++;
    }
    public synchronized void inc() {
        n++;
    }
}
