package rules;

import java.util.ArrayList;
import java.util.List;

/** Correct: the list that is written is no longer the one to which others add. */
public class SwappedOutS {
    private final Object lock = new Object();
    private List<String> lines = new ArrayList<>();

    public void add(String line) {
        synchronized (lock) {
            lines.add(line);
        }
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
