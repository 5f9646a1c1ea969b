package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Another class literal. */
public class ClassLockB {
    private int n;
    public void inc() {
        synchronized(ClassLockB.class) {
            n++;
        }
    }
    public int twice() {
        synchronized(Runnable.class) {
            return n + n;
        }
    }
}
