package order;

import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Set;

/** Keeps what it made: a text, a view of itself, and a log, of which one may get lost with what is in it. A title may be changed. */
public class Cached {
    private final int[] numbers = new int[8];
    private String text;
    private Set<Integer> view;
    private Log log;
    private Log given;
    private String title;

    public synchronized void set(int index, int number) {
        numbers[index] = number;
    }

    public String text() {
        if (text == null) {
            text = "eight numbers";
        }
        return text;
    }

    public Set<Integer> view() {
        Set<Integer> all = view;
        if (all == null) {
            all = new View();
            view = all;
        }
        return all;
    }

    public void log(String line) {
        if (log == null) {
            log = new Log();
        }
        synchronized (this) {
            log.last = line;
        }
    }

    public String title() {
        if (title == null) {
            title = "none";
        }
        return title;
    }

    public void rename(String other) {
        title = other;
    }

    public Log given() {
        if (given == null) {
            given = new Log();
        }
        return given;
    }

    static final class Log {
        String last;
    }

    private final class View extends AbstractSet<Integer> {
        @Override
        public int size() {
            return numbers.length;
        }

        @Override
        public Iterator<Integer> iterator() {
            throw new UnsupportedOperationException();
        }
    }
}
