package features;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A stream hands on the list of the object, which is then changed without a lock. */
public class PushedElementB {
    private final List<String> own = new ArrayList<>();

    public void add() {
        List<String> same = Stream.of("a").<List<String>>mapMulti((text, next) -> next.accept(own)).findFirst().get();
        same.add("a");
        same.add("b");
    }

    public synchronized int size() {
        return own.size();
    }
}
