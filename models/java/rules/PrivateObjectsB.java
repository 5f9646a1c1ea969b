package rules;

import java.util.ArrayList;
import java.util.List;

/** Broken: the length of the own list is asked without the lock. */
public class PrivateObjectsB {
    private final List<String> lines = new ArrayList<>();

    public synchronized void add(String line) {
        lines.add(line);
    }

    public int ownLength() {
        return length(lines);
    }

    public int length(List<String> given) {
        int length = 0;
        for (String line : given) {
            length += line.length();
        }
        return length;
    }
}
