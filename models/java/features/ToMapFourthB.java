package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Map supplier of toMap. */
public class ToMapFourthB {
    private int n;
    private final List<String> l = List.of("a", "bb");
    private Map<Integer,String> make() {
        n++;
        return new HashMap<>();
    }
    public Map<Integer,String> go() {
        return l.stream().collect(Collectors.toMap(String::length, s -> s, (x, y) -> x, this::make));
    }
    public synchronized int n() {
        return n;
    }
}
