package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** The task is in no field of a given class. */
public class OwnFutureTaskB {
    private int n;

    public synchronized void inc() {
        n++;
    }

    private static final class Task extends FutureTask<Integer> {
        Task(Callable<Integer> task) {
            super(task);
        }
    }

    public void go() {
        new Thread(new Task(() -> n++)).start();
    }
}
