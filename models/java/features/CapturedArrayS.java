package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Only lambdas of the constructor have the counter. */
public class CapturedArrayS {
    private final Runnable inc;
    private final IntSupplier get;

    public CapturedArrayS() {
        int[] count = new int[1];
        inc = () -> count[0]++;
        get = () -> count[0];
    }

    public synchronized int get() {
        return get.getAsInt();
    }

    public synchronized void inc() {
        inc.run();
    }
}
