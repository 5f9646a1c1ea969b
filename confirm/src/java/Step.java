package asercheck.confirm;

import java.util.ArrayList;
import java.util.List;

/** A step of a schedule: a side runs to its end, to the beginning of one of its calls, or to a point; or a pause. */
final class Step {
    /** The side that runs, 1 or 2; 0 for a pause. */
    final int side;
    final long pause;
    /** The number of the call before which the side stops, or -1. */
    final int call;
    final Point point;

    private Step(int side, long pause, int call, Point point) {
        this.side = side;
        this.pause = pause;
        this.call = call;
        this.point = point;
    }

    /** Reads steps: {@code 1 end}, {@code 2 call 1}, {@code 1 at POINT}, {@code pause 20}. */
    static List<Step> of(String[] texts, int from) {
        List<Step> steps = new ArrayList<>();
        for (int i = from; i < texts.length; i++) {
            String[] words = texts[i].split(" ", 3);
            if (words[0].equals("pause")) {
                steps.add(new Step(0, Long.parseLong(words[1]), -1, null));
                continue;
            }
            int side = Integer.parseInt(words[0]);
            int call = words[1].equals("call") ? Integer.parseInt(words[2]) : -1;
            steps.add(new Step(side, 0, call, words[1].equals("at") ? Point.of(words[2]) : null));
        }
        return steps;
    }
}
