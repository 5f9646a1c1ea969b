package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** WeakCompareAndSetPlain loop. */
public class WeakCasS {
    private final AtomicInteger n = new AtomicInteger();
    public void inc() {
        int k;
        do {
            k = n.get();
        } while (!n.weakCompareAndSetVolatile(k, k + 1));
    }
}
