package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Volatile record is replaced without lock. */
public class RecordSwapB {
    record R(int a, int b) {
    }
    private volatile R r = new R(0, 0);
    public void add(int k) {
        R o = r;
        r = new R(o.a() + k, o.b() - k);
    }
    public int sum() {
        R o = r;
        return o.a() + o.b();
    }
}
