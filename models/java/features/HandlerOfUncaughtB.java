package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** The exception leads to the object. */
public class HandlerOfUncaughtB {
    private int n;

    private static final class Failure extends RuntimeException {
        final HandlerOfUncaughtB owner;

        Failure(HandlerOfUncaughtB owner) {
            this.owner = owner;
        }
    }

    public void go() {
        Thread thread = new Thread(() -> {
            throw new Failure(this);
        });
        thread.setUncaughtExceptionHandler((of, failure) -> ((Failure) failure).owner.n++);
        thread.start();
    }
}
