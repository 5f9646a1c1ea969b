package asercheck.confirm;

import java.util.Arrays;
import java.util.EnumSet;

/** The places of all hooks in programs, numbered from 0 in the order in which classes were rewritten. */
final class ProgramStops {
    /** The place of a hook: before an instruction at a line that a finding names. */
    static final class Stop {
        final Point point;
        /** {@code FILE:LINE}. */
        final String line;
        final EnumSet<ProgramPlaces.Kind> kinds;
        /** Whether a field or an element of an array is accessed next, so that the thread does not wait before it. */
        final boolean isDirect;

        Stop(Point point, String line, EnumSet<ProgramPlaces.Kind> kinds, boolean isDirect) {
            this.point = point;
            this.line = line;
            this.kinds = kinds;
            this.isDirect = isDirect;
        }

        boolean is(ProgramPlaces.Kind kind) {
            return kinds.contains(kind);
        }

        /** Returns {@code class method descriptor index visits FILE:LINE}, for a number of visits. */
        String text(int visits) {
            return new Point(point.type, point.method, point.descriptor, point.index, visits).text() + " "
                    + line;
        }
    }

    private static volatile Stop[] all = new Stop[64];
    private static int count;

    private ProgramStops() {}

    static synchronized int add(Stop stop) {
        if (count == all.length) {
            all = Arrays.copyOf(all, 2 * count);
        }
        all[count] = stop;
        return count++;
    }

    static Stop of(int number) {
        return all[number];
    }
}
