package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Single-thread scheduled executor. */
public class ExecScheduledS {
    private final ScheduledExecutorService e = Executors.newSingleThreadScheduledExecutor();
    private int n;
    public void go() {
        e.schedule(() -> {
            n++;
            n++;
        }, 1, TimeUnit.MILLISECONDS);
    }
    public void every() {
        e.scheduleAtFixedRate(() -> n--, 1, 1, TimeUnit.SECONDS);
    }
}
