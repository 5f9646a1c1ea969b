package features;

import java.util.Stack;

/** The enumeration of a stack asks for more elements without the monitor. */
public class StackElementsB {
    private final Stack<String> all = new Stack<>();

    public void flash() {
        synchronized (all) {
            all.push("x");
            all.pop();
        }
    }

    public boolean isAny() { return all.elements().hasMoreElements(); }
}
