package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Synchronized map: putIfAbsent. */
public class SyncMapWrongS {
    private final Map<String,String> m = Collections.synchronizedMap(new HashMap<>());
    public void put2(String k) {
        m.putIfAbsent(k, k);
    }
}
