package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Vector: size, then get. */
public class VectorB {
    private final Vector<String> v = new Vector<>();
    public void add(String s) {
        v.add(s);
    }
    public String last() {
        return v.get(v.size() - 1);
    }
    public void drop() {
        if (!v.isEmpty()) v.clear();
    }
}
