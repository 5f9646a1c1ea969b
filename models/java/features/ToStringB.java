package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** String concatenation reads the list. */
public class ToStringB {
    private final List<String> l = new ArrayList<>();
    public synchronized void add(String s) {
        l.add(s);
        l.add(s);
    }
    public String show() {
        return "list " + l;
    }
}
