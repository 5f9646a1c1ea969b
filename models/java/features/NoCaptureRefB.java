package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Reference to an instance method, unbound. */
public class NoCaptureRefB {
    private int n;
    private void step() {
        n++;
    }
    public void go() {
        Consumer<NoCaptureRefB> c = NoCaptureRefB::step;
        c.accept(this);
    }
    public synchronized int n() {
        return n;
    }
}
