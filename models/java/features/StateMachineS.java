package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** States are enum constants with methods. */
public class StateMachineS {
    enum St {
        A {
            St next() {
                return B;
            }
        }, B {
            St next() {
                return A;
            }
        };
        abstract St next();
    }
    private St s = St.A;
    private int n;
    public synchronized void step() {
        s = s.next();
        n++;
    }
    public synchronized String show() {
        return s + ":" + n;
    }
}
