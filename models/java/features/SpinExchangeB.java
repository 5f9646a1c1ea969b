package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** A flag that is tested by what was there. */
public class SpinExchangeB {
    private final AtomicBoolean busy = new AtomicBoolean();
    private int n;

    public void inc() {
        while (!busy.compareAndExchange(false, true)) {
            Thread.onSpinWait();
        }
        n++;
        busy.set(false);
    }
}
