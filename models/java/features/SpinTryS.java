package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Compare-and-set as tryLock. */
public class SpinTryS {
    private final AtomicBoolean busy = new AtomicBoolean();
    private int n;
    public boolean inc() {
        if (!busy.compareAndSet(false, true)) return false;
        try {
            n++;
            return true;
        } finally {
            busy.set(false);
        }
    }
}
