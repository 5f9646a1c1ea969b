package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Each method of a proxy asks its handler. */
public class ProxyB {
    private int n;
    private final Runnable run = (Runnable) java.lang.reflect.Proxy.newProxyInstance(
        ProxyB.class.getClassLoader(), new Class<?>[] { Runnable.class }, (proxy, method, arguments) -> {
            n++;
            return null;
        });

    public synchronized void inc() {
        n++;
    }

    public void go() {
        run.run();
    }
}
