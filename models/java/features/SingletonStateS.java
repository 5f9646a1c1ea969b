package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Static method works on the singleton under its monitor. */
public class SingletonStateS {
    private static final SingletonStateS ONE = new SingletonStateS();
    private int n;
    private SingletonStateS() {
    }
    public static void touch() {
        synchronized(ONE) {
            ONE.n++;
        }
    }
    public static SingletonStateS get() {
        return ONE;
    }
    public synchronized void inc() {
        n++;
    }
}
