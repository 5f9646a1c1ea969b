package rules;

import java.util.ArrayList;
import java.util.List;

/** Broken: a line is added to a list that was found under the lock, but after the lock was let go. */
public class SwappedOutB {
    private final Object lock = new Object();
    private List<String> lines = new ArrayList<>();

    public void add(String line) {
        List<String> found;
        synchronized (lock) {
            found = lines;
        }
        found.add(line);
    }

    public int write() {
        int length = 0;
        for (String line : take()) {
            length += line.length();
        }
        return length;
    }

    private List<String> take() {
        synchronized (lock) {
            List<String> taken = lines;
            lines = new ArrayList<>();
            return taken;
        }
    }
}
