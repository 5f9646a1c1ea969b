package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Field updater: compareAndSet loop. */
public class UpdaterCasS {
    private static final AtomicIntegerFieldUpdater<UpdaterCasS> U
            = AtomicIntegerFieldUpdater.newUpdater(UpdaterCasS.class, "n");
    private volatile int n;
    public void twice() {
        for (;;) {
            int k = n;
            if (U.compareAndSet(this, k, 2 * k)) return;
        }
    }
}
