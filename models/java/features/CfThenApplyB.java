package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** ThenApply may run in the caller. */
public class CfThenApplyB {
    private int n;
    private final CompletableFuture<Integer> f = new CompletableFuture<>();
    public void done(int k) {
        f.complete(k);
    }
    public CompletableFuture<Integer> go() {
        return f.thenApply(x -> n += x);
    }
    public synchronized int get() {
        return n + n;
    }
}
