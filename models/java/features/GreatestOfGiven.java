package features;

import java.util.Collections;
import java.util.List;

/**
 * Looks for the greatest of a client's list. The library compares what is there. A client could put in it what it has
 * got from the object, which another method changes under the lock: that it does not is an assumption, which is printed.
 */
public class GreatestOfGiven {
    /** A mutable number. */
    static class Score implements Comparable<Object> {
        int low;
        int high;

        public int compareTo(Object other) {
            return other == null ? 1 : low + high;
        }
    }

    private final Score score = new Score();

    public Object score() {
        return score;
    }

    public synchronized void raise() {
        score.low++;
        score.high++;
    }

    public Object greatest(List<? extends Comparable<Object>> given) {
        return Collections.max(given);
    }
}
