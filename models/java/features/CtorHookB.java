package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Constructor calls an overridable method; n is touched without lock. */
public class CtorHookB {
    private int n;
    public CtorHookB() {
        step();
    }
    public void step() {
        n++;
    }
    public synchronized int twice() {
        return n + n;
    }
}
