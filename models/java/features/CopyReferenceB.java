package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** A reference to a constructor that reads its argument. */
public class CopyReferenceB {
    private final List<String> list = new ArrayList<>();

    public synchronized void add() {
        list.add("a");
        list.add("b");
    }

    public List<String> copy() {
        Function<Collection<String>, List<String>> copy = ArrayList::new;
        return copy.apply(list);
    }
}
