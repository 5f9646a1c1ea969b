package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Return in finally hides the exception; update after. */
public class FinallyReturnB {
    private int n;
    private int risky(int k) {
        synchronized(this) {
            n = k;
            if (k > 3) throw new IllegalStateException();
            return n;
        }
    }
    public int f(int k) {
        try {
            return risky(k);
        } finally {
            n++;
        }
    }
}
