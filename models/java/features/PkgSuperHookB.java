package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

abstract class PkgSuperHookBBase {
    int n;
    public void inc() {
        step();
    }
    protected abstract void step();
}

/** Superclass method calls a hook that is not locked. */
public class PkgSuperHookB extends PkgSuperHookBBase {
    protected void step() {
        n++;
    }
    public synchronized int twice() {
        return n + n;
    }
}
