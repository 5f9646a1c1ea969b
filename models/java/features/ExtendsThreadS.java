package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Extends Thread, run locks another object. */
public class ExtendsThreadS extends Thread {
    private int n;
    private final Object l = new Object();
    @Override public void run() {
        synchronized(l) {
            n++;
        }
    }
    public void bump() {
        synchronized(l) {
            n++;
        }
    }
}
