package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** A string constant as lock. */
public class StringLockS {
    private int n;
    public void inc() {
        synchronized("features.lock") {
            n++;
        }
    }
    public int twice() {
        synchronized("features.lock") {
            return n + n;
        }
    }
}
