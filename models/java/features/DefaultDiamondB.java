package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

interface DefaultDiamondBA {
    int get();
    void set(int k);
    default void inc() {
        set(get() + 1);
    }
}
interface DefaultDiamondBB extends DefaultDiamondBA {
}

/** Default method of a superinterface of a superinterface. */
public class DefaultDiamondB implements DefaultDiamondBB {
    private int n;
    public synchronized int get() {
        return n;
    }
    public synchronized void set(int k) {
        n = k;
    }
}
