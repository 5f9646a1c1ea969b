package asercheck.confirm;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/**
 * The accesses of one run: those of both sides, and when each of them had the turn. It says which schedules have the
 * same outcome.
 *
 * <p>Two accesses are <em>dependent</em> if they are to the same field of one object, or to the same element of one
 * array, and one of them is no read; operations of one lock or atomic variable are dependent, too. Neighbouring
 * accesses of the two sides that are independent can change places, and the outcome stays the same. This is the
 * argument of {@link #nextStop}: it leaves out schedules that come from each other in this way (the sleep sets of P.
 * Godefroid, <em>Partial-Order Methods for the Verification of Concurrent Systems</em>, 1996, for one switch).
 * Accesses without hooks (native methods, classes that are left as they are) are not known, so a schedule that differs
 * in one of them only may be left out. This costs findings, but no answer is wrong.
 */
final class Trace {
    private final Object[][] objects = new Object[3][];
    private final int[][] sites = new int[3][];
    private final int[][] indices = new int[3][];
    private final int[] counts = new int[3];
    private final int[][] grants;
    private final int releasedAt;

    Trace(Scheduler scheduler) {
        for (int i = 1; i <= 2; i++) {
            Side side = scheduler.sides[i];
            counts[i] = side.recorded();
            objects[i] = Arrays.copyOf(side.objects, counts[i]);
            sites[i] = Arrays.copyOf(side.sites, counts[i]);
            indices[i] = Arrays.copyOf(side.indices, counts[i]);
        }
        grants = scheduler.grants.toArray(new int[0][]);
        releasedAt = Math.max(scheduler.sides[1].releasedAt, scheduler.sides[2].releasedAt);
    }

    /** Returns the classes of the program with accesses. */
    Set<String> types() {
        Set<String> types = new TreeSet<>();
        for (int side = 1; side <= 2; side++) {
            for (int site : sites[side]) {
                if (!Sites.of(site).isOfJava) {
                    types.add(Sites.of(site).type);
                }
            }
        }
        return types;
    }

    int count(int side) {
        return counts[side];
    }

    Sites.Site site(int side, int access) {
        return Sites.of(sites[side][access]);
    }

    /** Returns the text of an access, with the number of executions of its place so far. */
    String text(int side, int access) {
        return site(side, access).text(occurrence(side, access));
    }

    /** Returns the number of executions of the place of an access up to it, from 1. */
    int occurrence(int side, int access) {
        int times = 0;
        for (int i = 0; i <= access; i++) {
            times += sites[side][i] == sites[side][access] ? 1 : 0;
        }
        return times;
    }

    /**
     * Returns the next access of a side before which a stop may lead to another outcome, after one before which it has
     * stopped in this run.
     *
     * <p>The other side then made some accesses, until it ended, stopped or was blocked. As long as the accesses of
     * this side after its stop are independent of them, they might have come before: a stop there gives the same
     * outcome. So the next stop is after the first dependent access. If the other side was blocked by a monitor of
     * this side, each stop before the end of the critical section has the same outcome, if no access before it is
     * dependent.
     */
    int nextStop(int side, int stop) {
        int[] range = otherAccesses(side, stop);
        int next = firstDependent(side, stop, range[0], range[1]) + 1;
        return releasedAt > stop ? Math.min(next, releasedAt) : next;
    }

    /**
     * Returns the last access before which a stop gives the same outcome, after one before which a side has stopped.
     */
    int lastStop(int side, int stop) {
        int[] range = otherAccesses(side, stop);
        return Math.min(firstDependent(side, stop, range[0], range[1]), counts[side] - 1);
    }

    /** Returns the range of the accesses that the other side made while a side was stopped. */
    private int[] otherAccesses(int side, int stop) {
        int other = 3 - side;
        for (int i = 1; i + 1 < grants.length; i++) {
            boolean isStopped = grants[i][0] == other && grants[i + 1][0] == side && grants[i + 1][1] >= stop
                    && grants[i + 1][1] <= stop + 1;
            if (isStopped) {
                int end = counts[other];
                for (int j = i + 2; j < grants.length; j++) {
                    if (grants[j][0] == other) {
                        end = Math.min(end, grants[j][1]);
                        break;
                    }
                }
                return new int[] {grants[i][1], end};
            }
        }
        return new int[] {0, counts[other]};
    }

    /** Returns the first access of a side, from some one on, that depends on one of a range of the other side. */
    int firstDependent(int side, int from, int begin, int end) {
        int other = 3 - side;
        Dependencies known = new Dependencies(end - begin);
        for (int i = begin; i < end; i++) {
            known.add(objects[other][i], sites[other][i], indices[other][i]);
        }
        for (int i = from; i < counts[side]; i++) {
            if (known.has(objects[side][i], sites[side][i], indices[side][i])) {
                return i;
            }
        }
        return counts[side];
    }

    /** Returns the first access of a side that depends on one of the other side from some access on. */
    int firstDependentOn(int side, int other, int from) {
        return firstDependent(side, 0, Math.min(from, counts[other]), counts[other]);
    }
}
