package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Class literal as lock. */
public class ClassLockS {
    private int n;
    public void inc() {
        synchronized(ClassLockS.class) {
            n++;
        }
    }
    public int twice() {
        synchronized(ClassLockS.class) {
            return n + n;
        }
    }
}
