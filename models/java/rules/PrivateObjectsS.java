package rules;

import java.util.ArrayList;
import java.util.List;

/** Correct: clients ask for the length of lists of their own, and never have the one of this object. */
public class PrivateObjectsS {
    private final List<String> lines = new ArrayList<>();

    public synchronized void add(String line) {
        lines.add(line);
    }

    public synchronized int ownLength() {
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
