package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Spin lock by getAndSet. */
public class SpinGetAndSetS {
    private final AtomicBoolean l = new AtomicBoolean();
    private int n;
    public void inc() {
        while (l.getAndSet(true)) {
        }
        try {
            n++;
        } finally {
            l.set(false);
        }
    }
    public int twice() {
        while (l.getAndSet(true)) {
        }
        try {
            return n + n;
        } finally {
            l.set(false);
        }
    }
}
