package features;

import java.util.Optional;
import java.util.stream.Stream;

/** A stream of clients runs a function that runs another one: the method does not see what that one gets. */
public class HandedNested {
    private int a;
    private int b;

    public synchronized void add() {
        a++;
        b++;
    }

    private synchronized int a() {
        return a;
    }

    private synchronized int b() {
        return b;
    }

    public static int difference(Stream<Optional<HandedNested>> all) {
        int[] sum = {0};
        all.forEach(perhaps -> perhaps.ifPresent(one -> {
            sum[0] += one.a();
            sum[0] -= one.b();
        }));
        return sum[0];
    }
}
