package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Result of tryAcquire is tested. */
public class SemTryS {
    private final Semaphore s = new Semaphore(1);
    private int n;
    public boolean inc() {
        if (!s.tryAcquire()) return false;
        try {
            n++;
            return true;
        } finally {
            s.release();
        }
    }
}
