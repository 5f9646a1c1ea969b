package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** A reference to a method of the library, run by the library. */
public class EachReferenceB {
    private final List<String> list = new ArrayList<>();

    public synchronized void add() {
        list.add("a");
    }

    public void addAll(List<String> from) {
        from.forEach(list::add);
    }
}
