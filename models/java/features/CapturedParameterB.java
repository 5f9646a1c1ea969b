package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** What is captured is a parameter. */
public class CapturedParameterB {
    private final Runnable inc;

    public CapturedParameterB() {
        this(new int[1]);
    }

    private CapturedParameterB(int[] count) {
        inc = () -> count[0]++;
    }

    public synchronized void inc() {
        inc.run();
    }

    public void bump() {
        inc.run();
    }
}
