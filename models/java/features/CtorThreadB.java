package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Constructor starts a thread that writes. */
public class CtorThreadB {
    private int n;
    public CtorThreadB() {
        new Thread(() -> n++).start();
    }
    public synchronized void inc() {
        n++;
    }
}
