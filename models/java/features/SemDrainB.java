package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** DrainPermits and more permits. */
public class SemDrainB {
    private final Semaphore s = new Semaphore(1);
    private int n;
    public void inc() throws InterruptedException {
        s.acquire();
        try {
            n++;
        } finally {
            s.release();
        }
    }
    public void more() {
        s.drainPermits();
        s.release(2);
    }
}
