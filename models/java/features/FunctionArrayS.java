package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Functions in an array field, locked. */
public class FunctionArrayS {
    private int n;
    private final IntUnaryOperator[] ops = { k -> n += k, k -> n -= k };
    public synchronized int call(int i, int k) {
        return ops[i].applyAsInt(k);
    }
}
