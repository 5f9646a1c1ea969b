package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** The task is in no field of a given class. */
public class NamedWorkerB {
    private int n;

    private static final class Worker extends Thread {
        Worker(Runnable task) {
            super(task, "worker");
        }
    }

    public void go() {
        new Worker(() -> n++).start();
    }
}
