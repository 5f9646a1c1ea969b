package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Released without having been acquired. */
public class SemExtraB {
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
    public void oops() {
        s.release();
    }
}
