package client;

import java.util.AbstractCollection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** What wraps the object calls its methods: one of them does not lock. */
public class Forwarded extends AbstractCollection<Integer> {
    private int count;

    @Override
    public boolean add(Integer number) {
        count++;
        return true;
    }

    public void addBySynchronized(Integer number) {
        Collections.synchronizedCollection(this).add(number);
    }

    @Override
    public synchronized int size() {
        return count;
    }

    @Override
    public Iterator<Integer> iterator() {
        return List.<Integer>of().iterator();
    }
}
