package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Inner class of an inner class. */
public class InnerInnerB {
    class A {
        class B {
            void step() {
                n++;
            }
        }
    }
    private int n;
    private final A.B b = new A().new B();
    public void go() {
        b.step();
    }
    public synchronized int n() {
        return n;
    }
}
