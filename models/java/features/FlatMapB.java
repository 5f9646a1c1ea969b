package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** The inner streams read the list. */
public class FlatMapB {
    private final List<String> list = new ArrayList<>();

    public synchronized void add() {
        list.add("a");
    }

    public long count() {
        return Stream.of(1, 2).flatMap(x -> list.stream()).filter(x -> true).count();
    }
}
