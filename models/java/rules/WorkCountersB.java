package rules;

import java.util.concurrent.atomic.AtomicInteger;

/** Broken: the counter lets eight threads in at once. */
public class WorkCountersB {
    private final AtomicInteger inside = new AtomicInteger();
    private int sum;

    public void add(int number) {
        if (inside.getAndIncrement() < 8) {
            sum += number;
        }
        inside.decrementAndGet();
    }
}
