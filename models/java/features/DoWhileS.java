package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Spins with test under the lock, acts in the same section. */
public class DoWhileS {
    private int n;
    public void f() {
        boolean done = false;
        do {
            synchronized(this) {
                if (n > 0) {
                    n--;
                    done = true;
                }
            }
        } while (!done);
    }
    public synchronized void put() {
        n++;
    }
}
