package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** List is put into a concurrent map, then filled. */
public class PublishListB {
    private final ConcurrentHashMap<String,List<String>> m = new ConcurrentHashMap<>();
    public void put(String k) {
        List<String> l = new ArrayList<>();
        m.put(k, l);
        l.add(k);
        l.add(k);
    }
    public int size(String k) {
        List<String> l = m.get(k);
        return l == null ? 0 : l.size();
    }
}
