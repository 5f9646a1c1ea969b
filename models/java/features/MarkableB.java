package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** AtomicMarkableReference: two gets. */
public class MarkableB {
    private final AtomicMarkableReference<String> r = new AtomicMarkableReference<>("", false);
    public String add() {
        String v = r.getReference();
        boolean m = r.isMarked();
        return v + m;
    }
    public void put(String s) {
        r.set(s, true);
    }
}
