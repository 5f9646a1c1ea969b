package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Switch on an enum, one case unlocked. */
public class EnumSwitchB {
    enum K {
        X, Y
    }
    private int n;
    public void go(K k) {
        switch (k) {
            case X: synchronized(this) {
                n++;
            }
            break;
            default: n--;
        }
    }
}
