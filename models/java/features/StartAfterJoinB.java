package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Starts another thread after a join. */
public class StartAfterJoinB {
    private int n;
    public void go() throws InterruptedException {
        Thread t = new Thread(() -> {
        });
        t.start();
        t.join();
        Thread u = new Thread(() -> n++);
        u.start();
        n++;
    }
}
