package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Two threads joined, then read. */
public class MainJoinS {
    static int n;
    static synchronized void inc() {
        n++;
    }
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(MainJoinS::inc), u = new Thread(MainJoinS::inc);
        t.start();
        u.start();
        t.join();
        u.join();
        System.out.println(n + n);
    }
}
