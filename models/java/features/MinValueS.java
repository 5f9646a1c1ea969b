package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Negated value tested under the lock. */
public class MinValueS {
    private int n;
    public void f(int k) {
        if (k >= 0) return;
        synchronized(this) {
            if (-k > 0) n++;
            else n--;
        }
    }
}
