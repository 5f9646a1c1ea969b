package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Fifth parameter is an object of the class. */
public class FifthB {
    private int a, b;
    public synchronized void set(int k) {
        a = k;
        b = -k;
    }
    public static int f(int p, long q, String r, double s, FifthB t) {
        return t.a + t.b;
    }
}
