package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Close of a resource writes under the lock. */
public class TwrSuppressS {
    class Res implements AutoCloseable {
        public void close() {
            n++;
        }
    }
    private int n;
    public synchronized void f() {
        try (Res r = new Res()) {
            n--;
        }
    }
}
