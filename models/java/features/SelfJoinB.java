package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Timed join of itself gives the monitor up. */
public class SelfJoinB extends Thread {
    private int n;
    public synchronized void go() throws InterruptedException {
        int k = n;
        join(1);
        n = k + 1;
    }
    @Override public void run() {
        synchronized(this) {
            n++;
        }
    }
}
