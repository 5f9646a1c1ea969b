package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Copy-on-write list of listeners. */
public class ListenersCowS {
    private final List<Runnable> ls = new CopyOnWriteArrayList<>();
    public void add(Runnable r) {
        ls.add(r);
    }
    public void fire() {
        for (Runnable r : ls) r.run();
    }
}
