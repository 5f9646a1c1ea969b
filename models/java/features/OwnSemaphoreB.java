package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** One permit becomes two. */
public class OwnSemaphoreB {
    private static final class Twice extends Semaphore {
        Twice(int permits) {
            super(2 * permits);
        }
    }

    private final Semaphore s = new Twice(1);
    private int n;

    public void inc() throws InterruptedException {
        s.acquire();
        try {
            n++;
        } finally {
            s.release();
        }
    }
}
