package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Null pointer exception leads into a handler that writes. */
public class NpeB {
    private int n;
    public void f(String s) {
        try {
            synchronized(this) {
                n += s.length();
            }
        } catch (NullPointerException e) {
            n = n + 1;
        }
    }
}
