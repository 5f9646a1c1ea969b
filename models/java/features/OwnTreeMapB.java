package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** The comparator is in no field of a given class. */
public class OwnTreeMapB {
    private int n;

    public synchronized void inc() {
        n++;
    }

    public void go() {
        Map<String, String> map = new TreeMap<>((String a, String b) -> n++) {
        };
        map.put("a", "a");
    }
}
