package rules;

import java.util.List;

/** A stream that may be parallel runs the function in the call, under its lock. */
public class OwnThreadS {
    private int count;

    public synchronized void all(List<String> words) {
        words.stream().forEach(word -> count = count + 1);
    }

    public synchronized int get() {
        return count;
    }
}
