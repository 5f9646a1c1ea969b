package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Extends AtomicInteger: get and set. */
public class ExtendsAtomicB extends AtomicInteger {
    public void twice() {
        set(get() * 2);
    }
}
