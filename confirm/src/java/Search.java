package asercheck.confirm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The search for a schedule under which the outcome of a client differs from every serial order.
 *
 * <p>First come the serial orders, then the schedules with one switch: those of the finding, those at its fields, and
 * all others; then those with two switches; then random ones, with up to three switches (S. Burckhardt, P. Kothari, M.
 * Musuvathi, S. Nagarakatte, <em>A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs</em>, ASPLOS
 * 2010). Schedules whose outcome is known from another one are left out ({@link Trace}).
 *
 * <p>The search ends at an outcome under a schedule that tears the torn section of the finding. An outcome that is new
 * under another schedule belongs to other methods or to another section; the first one is kept for the end of the
 * search. A stop is moved to the section if that does not change the outcome ({@link Trace#lastStop}); the moved
 * schedule has to give the outcome again.
 *
 * <p>The runs of the search use threads and, unless the class has state of its own, classes again and again. So an
 * outcome is a candidate only: it has to come again in a new Java machine, with new classes and new threads.
 */
final class Search {
    /** The number of schedules that run even if the time is over. Otherwise a busy machine would try none. */
    private static final int MIN_SCHEDULES = 12;
    private static final long GRACE = 2_000_000_000;
    /** The number of executions of one place before which a side stops. */
    private static final int MAX_OCCURRENCES = 8;
    private static final int MAX_FIRST = 60;
    private static final int MAX_SINGLE = 600;
    private static final int MAX_DOUBLE = 600;
    /** The largest number of accesses by which a stop is moved to the section. */
    private static final int MAX_MOVED = 200;
    private static final int RANDOM = 60;
    private static final int RANDOM_SWITCHES = 3;
    /** The number of threads of the program at which the Java machine should be replaced. */
    private static final int MAX_THREADS = 150;
    private static final long PATIENCE = 400;
    private static final long WATCH_INTERVAL = 5;

    private static final String UNUSABLE = "unusable";
    private static final String MAKING = "making the objects ";
    private static final String WAITS = "a call waits for the other one";
    private static final String ENDLESS = "a call does not end";

    /** The question of the search. */
    static final class Question {
        /** Makes a new client with classes of a loader. */
        final java.util.function.Function<ClassLoader, RunnableClient> client;
        final java.util.function.Supplier<ClassLoader> loaders;
        /** Whether each run loads the classes again. */
        boolean isStatic;
        /** Adds hooks to the classes of the library that the loaded classes use. */
        final Runnable rewriting;
        /** Is told the classes with accesses, which later runs initialize first. */
        final java.util.function.Consumer<Set<String>> accessed;
        long nanoseconds;
        int seed;
        /** Lines before which the finding switches, as {@code FILE:LINE}. */
        Set<String> lines;
        /** The names of the fields of the finding. */
        Set<String> fields;
        /** The lines of the torn section, as {@link Interruptions} reads them. */
        Set<String> section;
        /** The sides whose differences outside of the section are known. */
        Set<String> known;
        /** Whether both sides call the unit. */
        boolean isSymmetric;

        Question(java.util.function.Function<ClassLoader, RunnableClient> client,
                java.util.function.Supplier<ClassLoader> loaders, Runnable rewriting,
                java.util.function.Consumer<Set<String>> accessed) {
            this.client = client;
            this.rewriting = rewriting;
            this.accessed = accessed;
            this.loaders = loaders;
        }
    }

    /** Ends the search. */
    private static final class Ended extends Exception {
        private static final long serialVersionUID = 1;

        Ended(String why) {
            super(why, null, false, false);
        }
    }

    private final Question question;
    private final Scheduler scheduler;
    private final long until;
    private ClassLoader loader;
    private SideThread second;
    /** Whether the runs are those of schedules. */
    private volatile boolean isForced;
    private boolean isFresh;
    private int calls;
    private volatile SerialOrders orders;
    private volatile int schedules;
    /** The classes of the program with accesses. */
    private volatile Set<String> accessed = Set.of();
    /** The schedule with a new outcome, after the switches of {@link Interruptions#texts} and their number. */
    private volatile List<String> candidate;
    private final Interruptions interruptions;
    /** The sides with a difference under a switch outside of the section. */
    private final Set<String> differing;

    Search(Question question, Scheduler scheduler) {
        this.question = question;
        this.scheduler = scheduler;
        interruptions = new Interruptions(question.section);
        differing = new TreeSet<>(question.known);
        until = System.nanoTime() + question.nanoseconds;
    }

    /**
     * Returns the answer: {@code candidate} or {@code explored}, the number of schedules, whether the Java machine
     * should be replaced, the number of classes with accesses and their names, the lines of both sides, and the
     * candidate; or {@code unusable} with a reason, and whether the machine should be replaced.
     */
    List<String> run() throws Exception {
        CompletableFuture<List<String>> answer = new CompletableFuture<>();
        Thread explorer = new Thread(() -> explore(answer), "thread 1");
        explorer.setDaemon(true);
        explorer.start();
        Scheduler.Watch watch = scheduler.watch(PATIENCE);
        while (true) {
            try {
                return answer.get(WATCH_INTERVAL, TimeUnit.MILLISECONDS);
            } catch (TimeoutException running) {
                try {
                    if (watch.hangs()) {
                        return hanging();
                    }
                } catch (Scheduler.Stalled stalled) {
                    return answer(given());
                }
            }
        }
    }

    private void explore(CompletableFuture<List<String>> answer) {
        String end = "";
        try {
            explore();
        } catch (Ended ended) {
            end = ended.getMessage();
        } catch (Throwable thrown) {
            end = UNUSABLE + thrown;
        } finally {
            scheduler.end();
            if (second != null) {
                second.end();
            }
        }
        answer.complete(answer(end));
    }

    /** Returns the answer if both threads wait forever. */
    private List<String> hanging() {
        schedules++;
        if (orders == null || !isForced) {
            return answer(UNUSABLE + WAITS);
        }
        if (!scheduler.hasDepended) {
            keep(new Trace(scheduler));
        }
        return answer("worn");
    }

    /** The reason of the end after a run that was given up. */
    private String given() {
        return isForced ? "worn" : UNUSABLE + ENDLESS;
    }

    private List<String> answer(String end) {
        if (end.startsWith(UNUSABLE)) {
            String reason = end.substring(UNUSABLE.length());
            return Arrays.asList(UNUSABLE, reason, reason.equals(WAITS) || reason.equals(ENDLESS) ? "1" : "0");
        }
        boolean isWorn = end.equals("worn") || OtherThreads.count() > MAX_THREADS || TestRun.areTooManyLeft();
        List<String> answer = new ArrayList<>(Arrays.asList(candidate == null ? "explored" : "candidate",
                String.valueOf(schedules), isWorn ? "1" : "0", String.valueOf(accessed.size())));
        answer.addAll(accessed);
        answer.add(interruptions.visited(1));
        answer.add(interruptions.visited(2));
        answer.add(interruptions.innermost(1, 0));
        answer.add(interruptions.innermost(2, 0));
        if (candidate != null) {
            answer.addAll(candidate);
        }
        return answer;
    }

    private void explore() throws InterruptedException, Ended {
        isFresh = true;
        calls = question.client.apply(question.loaders.get()).calls(2);
        orders = new SerialOrders(calls + 1);
        Trace[] alone = new Trace[3];
        // Runs with new classes; the others follow with the hooks of the library.
        serial(null);
        question.rewriting.run();
        loader = question.loaders.get();
        second = new SideThread(2, loader);
        Thread.currentThread().setContextClassLoader(loader);
        isFresh = needsNewClasses(alone);
        if (isFresh) {
            serial(alone);
        }
        accessed = alone[1].types();
        accessed.addAll(alone[2].types());
        question.accessed.accept(accessed);
        isForced = true;
        Set<String> shared = shared(alone);
        List<List<Integer>> stops = new ArrayList<>(Arrays.asList(null, new ArrayList<>(), new ArrayList<>()));
        first(alone, shared);
        for (int side = 1; side <= 2; side++) {
            single(side, alone[3 - side], stops.get(side));
        }
        for (int side = 1; side <= 2; side++) {
            twice(side, alone[side], stops.get(side));
        }
        random(alone[1].count(1) + alone[1].count(2));
    }

    /**
     * Whether the classes have state of their own, so that each run needs new ones. Outcomes may also differ for other
     * reasons, such as time; then runs with new classes differ, too. If each run needs new classes, only such runs are
     * compared afterwards.
     */
    private boolean needsNewClasses(Trace[] alone) throws InterruptedException, Ended {
        if (question.isStatic) {
            return true;
        }
        isFresh = false;
        if (isRepeatable(alone)) {
            return false;
        }
        if (isLate()) {
            return true;
        }
        compareNewClasses();
        isFresh = false;
        if (isRepeatable(alone)) {
            return false;
        }
        compareNewClasses();
        return true;
    }

    /** Whether more serial runs would take the time of the schedules. */
    private boolean isLate() {
        return until - System.nanoTime() < question.nanoseconds * 3 / 4;
    }

    /** Runs the serial orders with new classes twice, and forgets all other runs. */
    private void compareNewClasses() throws InterruptedException, Ended {
        orders = new SerialOrders(calls + 1);
        isFresh = true;
        serial(null);
        serial(null);
    }

    /** Whether runs with the same classes have the same outcomes. A test may not even come to its call twice. */
    private boolean isRepeatable(Trace[] alone) throws InterruptedException, Ended {
        try {
            return serial(alone) && (isLate() || serial(alone));
        } catch (Ended unusable) {
            if (unusable.getMessage().startsWith(UNUSABLE + MAKING)) {
                return false;
            }
            throw unusable;
        }
    }

    /** Runs every serial order once; the first and the last one give traces. Returns whether all outcomes agree. */
    private boolean serial(Trace[] alone) throws InterruptedException, Ended {
        boolean isSame = true;
        for (int order = 0; order <= calls; order++) {
            int recorded = alone == null ? 0 : order == 0 ? 1 : order == calls ? 2 : 0;
            interruptions.record(recorded);
            scheduler.recorder = recorded > 0 ? interruptions : null;
            Map<String, String> outcome = outcome(SerialOrders.steps(order, calls));
            scheduler.recorder = null;
            if (!scheduler.isKept || outcome.containsValue("hangs")) {
                throw new Ended(UNUSABLE + WAITS);
            }
            isSame &= orders.add(order, outcome);
            if (alone != null && order == 0) {
                alone[1] = new Trace(scheduler);
            }
            if (alone != null && order == calls) {
                alone[2] = new Trace(scheduler);
            }
        }
        return isSame;
    }

    private Map<String, String> outcome(Steps steps) throws InterruptedException, Ended {
        if (!isForced && System.nanoTime() - until > GRACE) {
            throw new Ended("time");
        }
        Map<String, String> outcome;
        try {
            if (isFresh) {
                ClassLoader fresh = question.loaders.get();
                outcome = new Attempt(question.client.apply(fresh), scheduler, PATIENCE).run(fresh, steps);
            } else {
                outcome = new Attempt(question.client.apply(loader), scheduler, PATIENCE).run(second, steps);
            }
        } catch (Scheduler.Stalled | Scheduler.GivenUp stalled) {
            throw new Ended(given());
        }
        String why = outcome.get("failed");
        if (why != null) {
            throw new Ended(UNUSABLE + MAKING + why);
        }
        if (outcome.containsKey("afterwards")) {
            throw new Ended(UNUSABLE + "a call after both threads " + outcome.get("afterwards"));
        }
        return outcome;
    }

    /** Runs a schedule. Ends the search if its outcome is new, or the time is over. */
    private Trace forced(Steps steps) throws InterruptedException, Ended {
        long over = System.nanoTime() - until;
        if (over > (schedules >= MIN_SCHEDULES ? 0 : GRACE)) {
            throw new Ended("time");
        }
        Map<String, String> outcome = outcome(steps);
        schedules++;
        Trace trace = new Trace(scheduler);
        boolean hangs = outcome.containsValue("hangs");
        if (!scheduler.hasDepended && orders.excludes(outcome) && keep(trace)) {
            throw new Ended(hangs ? "worn" : "");
        }
        if (hangs) {
            throw new Ended("worn");
        }
        return trace;
    }

    /**
     * Keeps the schedule of the last run, whose outcome is new, as the candidate; not if it is known that this side
     * differs outside of the section, or another schedule is kept. If one switch suffices for a difference outside of
     * the section, it may be the reason for a difference under more switches, so that these say nothing. Returns
     * whether the section is torn.
     */
    private boolean keep(Trace trace) {
        List<int[]> switches = new ArrayList<>();
        for (int[] change : scheduler.switches) {
            if (change[1] < trace.count(change[0])) {
                switches.add(change);
            }
        }
        boolean isTorn = false;
        if (switches.size() == 1) {
            int[] moved = {switches.get(0)[0], stopInSection(trace, switches.get(0))};
            switches.set(0, moved);
        }
        for (int[] change : switches) {
            isTorn |= isOfFinding(change[0]) && interruptions.isTorn(change[0], change[1]);
        }
        boolean isKnown = differs(switches);
        if (switches.size() > 1 && isKnown) {
            return false;
        }
        if (isTorn || candidate == null && !isKnown) {
            candidate = schedule(trace, switches);
        }
        if (!isTorn && switches.size() == 1) {
            differing.add(String.valueOf(switches.get(0)[0]));
        }
        return isTorn;
    }

    /** Whether one of the interrupted sides is known to differ outside of the section. */
    private boolean differs(List<int[]> switches) {
        return switches.stream().anyMatch(change -> differing.contains(String.valueOf(change[0])));
    }

    /** Whether a side makes the call of the unit. */
    private boolean isOfFinding(int side) {
        return side == 1 || question.isSymmetric;
    }

    /**
     * Returns the first access that tears the section, if a stop there gives the same outcome; else the access itself.
     */
    private int stopInSection(Trace trace, int[] change) {
        int side = change[0];
        int last = isOfFinding(side) ? Math.min(trace.lastStop(side, change[1]), change[1] + MAX_MOVED) : change[1];
        for (int stop = change[1]; stop <= last; stop++) {
            if (interruptions.isTorn(side, stop)) {
                return stop;
            }
        }
        return change[1];
    }

    /**
     * Returns the number of switches, the texts of each, and the schedule: each switch with the text of its access,
     * then the ends of both sides.
     */
    private List<String> schedule(Trace trace, List<int[]> switches) {
        List<String> texts = new ArrayList<>();
        texts.add(String.valueOf(switches.size()));
        switches.forEach(change -> texts.addAll(interruptions.texts(change[0], change[1])));
        switches.forEach(change -> texts.add(change[0] + " at " + trace.text(change[0], change[1])));
        int last = switches.isEmpty() ? 2 : switches.get(switches.size() - 1)[0];
        texts.add(3 - last + " end");
        texts.add(last + " end");
        return texts;
    }

    /** Returns the fields that both sides access and one of them writes, and everything about locks. */
    private static Set<String> shared(Trace[] alone) {
        Set<String> seen = new TreeSet<>();
        Set<String> shared = new TreeSet<>();
        for (int side = 1; side <= 2; side++) {
            Set<String> own = new TreeSet<>();
            for (Trace trace : Arrays.asList(alone[1], alone[2])) {
                for (int i = 0; i < trace.count(side); i++) {
                    own.add(trace.site(side, i).target);
                }
            }
            if (side == 1) {
                seen.addAll(own);
            } else {
                own.retainAll(seen);
                shared.addAll(own);
            }
        }
        return shared;
    }

    /**
     * Runs the schedules with one switch that come first: before the lines of the finding, before its fields, then
     * before other accesses in the code of the program, where a switch is easier to understand than in the library.
     */
    private void first(Trace[] alone, Set<String> shared) throws InterruptedException, Ended {
        for (Preference preference : Preference.values()) {
            int runs = 0;
            for (int side = 1; side <= 2; side++) {
                for (int i = 0; i < alone[side].count(side) && runs < MAX_FIRST; i++) {
                    Sites.Site site = alone[side].site(side, i);
                    if (shared.contains(site.target) && preference == preference(side, site)) {
                        one(side, i);
                        runs++;
                    }
                }
            }
        }
    }

    /** The reasons why a switch comes early. */
    private enum Preference {
        LINE, FIELD, PROGRAM
    }

    private Preference preference(int side, Sites.Site site) {
        if (side == 1 && question.lines.contains(site.file + ":" + site.line)) {
            return Preference.LINE;
        }
        return question.fields.contains(site.field()) ? Preference.FIELD : site.isOfJava ? null : Preference.PROGRAM;
    }

    private Trace one(int side, int stop) throws InterruptedException, Ended {
        return forced(Steps.of(side + " event " + stop, 3 - side + " end", side + " end"));
    }

    /** Runs the schedules in which a side stops once. Adds the stops. */
    private void single(int side, Trace otherFirst, List<Integer> stops) throws InterruptedException, Ended {
        int stop = otherFirst.firstDependent(side, 0, 0, otherFirst.count(3 - side)) + 1;
        int count = otherFirst.count(side);
        for (int i = 0; i < MAX_SINGLE && stop < count; i++) {
            stops.add(stop);
            Trace trace = one(side, stop);
            count = trace.count(side);
            stop = next(trace, side, stop);
        }
    }

    /** Returns the next stop after one of a run: one that may have another outcome, and is not deep in a loop. */
    private static int next(Trace trace, int side, int stop) {
        int next = Math.max(stop + 1, trace.nextStop(side, stop));
        while (next < trace.count(side) && trace.occurrence(side, next) > MAX_OCCURRENCES) {
            next++;
        }
        return next;
    }

    /** Runs the schedules in which a side stops, then the other one, and the first one continues to its end. */
    private void twice(int side, Trace alone, List<Integer> stops) throws InterruptedException, Ended {
        int other = 3 - side;
        int runs = 0;
        for (int first : stops) {
            int second = alone.firstDependentOn(other, side, first) + 1;
            int count = Integer.MAX_VALUE;
            while (second < count && runs++ < MAX_DOUBLE) {
                Trace trace = forced(Steps.of(side + " event " + first, other + " event " + second, side + " end",
                        other + " end"));
                count = trace.count(other);
                second = next(trace, other, second);
            }
        }
    }

    private void random(int length) throws InterruptedException, Ended {
        Random random = new Random(question.seed);
        for (int i = 0; i < RANDOM && length > 1; i++) {
            int[] changes = new int[1 + random.nextInt(RANDOM_SWITCHES)];
            for (int j = 0; j < changes.length; j++) {
                changes[j] = 1 + random.nextInt(length);
            }
            forced(Steps.changing(1 + random.nextInt(2), changes));
        }
    }
}
