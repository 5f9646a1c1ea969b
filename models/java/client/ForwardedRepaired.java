package client;

import java.util.AbstractCollection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** What wraps the object calls its methods, which lock it. */
public class ForwardedRepaired extends AbstractCollection<Integer> {
    private int count;

    @Override
    public synchronized boolean add(Integer number) {
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
