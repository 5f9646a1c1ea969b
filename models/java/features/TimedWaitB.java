package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** TimeUnit.timedWait on this. */
public class TimedWaitB {
    private int n;
    public synchronized void go() throws InterruptedException {
        int k = n;
        TimeUnit.MILLISECONDS.timedWait(this, 1);
        n = k + 1;
    }
    public synchronized void inc() {
        n++;
    }
}
