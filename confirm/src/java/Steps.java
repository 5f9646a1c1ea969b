package asercheck.confirm;

import java.util.Arrays;
import java.util.List;

/**
 * A schedule: the steps of the two sides, one after the other. In a step, a side runs to its end, to the beginning of
 * one of its calls, to a point, or to the hook with a number; or both sides pause. Also the numbers of hooks, of both
 * sides together, at which the turn changes.
 */
final class Steps {
    static final Steps NONE = new Steps(new Step[0], new int[0]);

    private static final class Step {
        /** 1 or 2; 0 for a pause. */
        int side;
        long pause;
        int call = -1;
        int event = -1;
        Point point;
    }

    private final Step[] steps;
    private final int[] changes;

    private Steps(Step[] steps, int[] changes) {
        this.steps = steps;
        this.changes = changes;
    }

    /** Reads steps: {@code 1 end}, {@code 2 call 1}, {@code 1 at POINT}, {@code 1 event 7}, {@code pause 20}. */
    static Steps of(List<String> texts) {
        Step[] all = new Step[texts.size()];
        for (int i = 0; i < all.length; i++) {
            String[] words = texts.get(i).split(" ", 3);
            Step step = new Step();
            all[i] = step;
            if (words[0].equals("pause")) {
                step.pause = Long.parseLong(words[1]);
                continue;
            }
            step.side = Integer.parseInt(words[0]);
            switch (words[1]) {
                case "call":
                    step.call = Integer.parseInt(words[2]);
                    break;
                case "event":
                    step.event = Integer.parseInt(words[2]);
                    break;
                case "at":
                    step.point = Point.of(words[2]);
                    break;
                default:
                    break;
            }
        }
        return new Steps(all, new int[0]);
    }

    static Steps of(String... texts) {
        return of(Arrays.asList(texts));
    }

    /** Returns a schedule that begins with a side, and changes at numbers of hooks. */
    static Steps changing(int first, int[] changes) {
        return new Steps(of(first + " end").steps, changes);
    }

    /** Whether a side only stops before a call. */
    boolean isSerial() {
        for (Step step : steps) {
            if (step.event >= 0 || step.point != null) {
                return false;
            }
        }
        return changes.length == 0;
    }

    int size() {
        return steps.length;
    }

    int side(int step) {
        return steps[step].side;
    }

    long pause(int step) {
        return steps[step].pause;
    }

    /** Whether a step ends before its side does. */
    boolean stops(int step) {
        return steps[step].call >= 0 || steps[step].event >= 0 || steps[step].point != null;
    }

    /** Tells a side where a step ends. */
    void arm(int step, Side side) {
        side.stopCall = steps[step].call;
        side.stopEvent = steps[step].event;
        side.stopPoint = steps[step].point;
    }

    boolean changesAt(int total) {
        for (int change : changes) {
            if (change == total) {
                return true;
            }
        }
        return false;
    }
}
