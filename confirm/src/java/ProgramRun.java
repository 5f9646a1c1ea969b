package asercheck.confirm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * One run of a whole program, with its threads stopped in hooks as a plan says.
 *
 * <p>In a serial run, sections exclude each other: a thread waits before its section until no thread is in a section,
 * or all threads in sections wait. The next thread is drawn at random, and threads pause before sections; no thread
 * stops within one. In a forced run, a thread is held before an access in its section while the others continue, until
 * all of them wait or have ended, or until one of them has interfered. In a serial run, a thread may be held before a
 * section in the same way.
 *
 * <p>A thread <em>interferes</em> if it makes an access of the interfering method while the other one is held. Before a
 * call or a lock it may have to wait for the held thread, so it counts only when it comes to its next hook; there is
 * one at the end of its method.
 */
final class ProgramRun {
    /** The milliseconds for a run. */
    private static final long RUN_TIMEOUT = 15_000;
    /** The milliseconds for which a thread is held, if the others do not end before. */
    private static final long HOLD_TIME = 1_500;
    /** The milliseconds without progress after which the program is idle. */
    private static final long IDLE_TIME = 30;
    /** The same, for a thread that pauses, and for a draw. */
    private static final long PAUSE_IDLE_TIME = 10;
    private static final long DRAW_IDLE_TIME = 2;
    /** The milliseconds without progress after which the program hangs; and if no thread waits with a timeout. */
    private static final long HANG_TIME = 1_500;
    private static final long SHORT_HANG_TIME = 300;
    /** The milliseconds after which a waiting thread is blocked. */
    private static final long BLOCKED_TIME = 20;
    /** The milliseconds in which more threads may arrive before one of them is drawn. */
    private static final long DRAW_DELAY = 10;
    /** The largest number of pauses in a serial run, and the milliseconds of a short and of a long one. */
    private static final int MAX_PAUSES = 60;
    private static final int SHORT_PAUSE = 20;
    private static final int LONG_PAUSE = 300;

    private final ProgramPlan plan;
    private final ProgramThreads threads;
    private final ProgramOutput output;
    private final Random random;
    private final Map<Thread, ProgramThread> known = new HashMap<>();
    /** The numbers of visits, by the numbers of stops. */
    private final Map<Integer, Integer> visits = new HashMap<>();

    /** The end of the program; null as long as it runs. */
    private String ending;
    private boolean hasActed;
    /** The nanoseconds from the beginning after which the first thread gives up, if it still waits then. */
    private long giveUpTime = Long.MAX_VALUE;
    private final long begin = System.nanoTime();

    /** Threads that wait for their turn. */
    private final List<ProgramThread> queue = new ArrayList<>();
    /** The time of the next draw, and the number of draws. */
    private long drawTime;
    private int draws;
    /** The number of sections of the unit that have begun; the same at the time when a thread was held. */
    private int unitSections;
    private int unitSectionsWhenHeld;
    /** The threads that pause, with the end of the pause. A pause ends earlier if all other threads wait. */
    private final Map<ProgramThread, Long> pausing = new HashMap<>();
    private int pauses;

    /** The held thread and the time when it stopped; whether there was one, and whether others interfered then. */
    private ProgramThread held;
    private long heldSince;
    private boolean wasHeld;
    private boolean hasInterfered;
    /** The thread that was held in its unit, as long as that has not ended. */
    private ProgramThread interrupted;
    /** The lines of its unit before and after it was held. */
    private Set<String> before = new TreeSet<>();
    private final Set<String> after = new TreeSet<>();
    /** A thread that has interfered. It stops after its method, until the released thread has left its own. */
    private ProgramThread interferer;
    private boolean isInterfererStopped;
    /** The thread that was held, until it leaves its method. */
    private ProgramThread released;

    ProgramRun(ProgramPlan plan, ThreadGroup group, ProgramOutput output) {
        this.plan = plan;
        this.output = output;
        threads = new ProgramThreads(group);
        random = new Random(plan.number);
    }

    private static long now() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    /** Waits for the end of a program that has been started. Returns the answer for the command. */
    synchronized String run(ProgramMain main) throws InterruptedException {
        long until = now() + RUN_TIMEOUT;
        int written = 0;
        while (ending == null && now() < until) {
            wait(1);
            int size = output.size();
            hasActed |= size != written;
            written = size;
            schedule(now());
            if (ending == null && !threads.areRunning()) {
                ending = "ends with code " + main.code();
            }
        }
        if (ending == null) {
            ending = "";
            return Lines.join("gone", "it does not end within " + RUN_TIMEOUT / 1000 + " s");
        }
        return answer();
    }

    /** The program ends itself. Does not return. */
    synchronized void exits(int code) {
        if (ending == null) {
            ending = "ends with code " + code;
        }
        notifyAll();
        awaitForever();
    }

    private void awaitForever() {
        while (true) {
            try {
                wait();
            } catch (InterruptedException again) {
                continue;
            }
        }
    }

    /**
     * A thread waits with a timeout. The outcome of a forced run says nothing if it may have given up. It has not if
     * the run ends before.
     */
    synchronized void givesUpAfter(long nanoseconds) {
        long elapsed = System.nanoTime() - begin;
        long time = nanoseconds > Long.MAX_VALUE - elapsed ? Long.MAX_VALUE : elapsed + nanoseconds;
        giveUpTime = Math.min(giveUpTime, time);
    }

    private String answer() {
        List<String> fields = new ArrayList<>();
        boolean depends = System.nanoTime() - begin >= giveUpTime;
        fields.add(depends ? "depends" : !wasHeld ? "open" : hasInterfered ? "kept" : "held");
        fields.add(String.valueOf(unitSectionsWhenHeld));
        fields.add(String.join(" ", before));
        fields.add(String.join(" ", after));
        List<String> points = points();
        fields.add(String.valueOf(points.size()));
        fields.addAll(points);
        fields.addAll(Arrays.asList("the program", ending, "uncaught exceptions", output.thrown(), "output",
                output.text()));
        return Lines.join(fields);
    }

    /** Returns the visited accesses of the unit. */
    private List<String> points() {
        List<String> texts = new ArrayList<>();
        visits.forEach((number, count) -> {
            ProgramStops.Stop stop = ProgramStops.of(number);
            if (stop.is(ProgramPlaces.Kind.UNIT_ACCESS)) {
                texts.add(stop.text(count));
            }
        });
        texts.sort(null);
        return texts;
    }

    private ProgramThread me() {
        return known.computeIfAbsent(Thread.currentThread(), ProgramThread::new);
    }

    synchronized void entered() {
        me().entered();
    }

    /** A method ends. */
    synchronized void left() {
        ProgramThread thread = me();
        acts(thread);
        if (!thread.left() || ending != null) {
            admit(now());
            return;
        }
        if (thread == interferer && held != null) {
            isInterfererStopped = true;
            stop(thread);
            release();
            awaitTurn(thread);
        } else if (thread == released) {
            resumeInterferer();
        }
        admit(now());
    }

    /** A thread comes to a place. Returns when it may go on. */
    synchronized void at(int number) {
        ProgramThread thread = me();
        ProgramStops.Stop stop = ProgramStops.of(number);
        acts(thread);
        int count = visits.merge(number, 1, Integer::sum);
        if (ending == null && !passes(thread, stop, count)) {
            stop(thread);
            admit(now());
        }
        awaitTurn(thread);
    }

    /** Stops a thread. It waits in {@link #awaitTurn}. */
    private void stop(ProgramThread thread) {
        threads.stop(thread.thread);
    }

    private void resume(ProgramThread thread) {
        threads.resume(thread.thread);
        notifyAll();
    }

    private void awaitTurn(ProgramThread thread) {
        boolean isInterrupted = false;
        while (threads.isStopped(thread.thread)) {
            try {
                wait();
            } catch (InterruptedException again) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A thread does something after its last hook. */
    private void acts(ProgramThread thread) {
        hasActed = true;
        threads.acts(thread.thread);
        if (thread.isAboutToInterfere) {
            thread.isAboutToInterfere = false;
            interferes(thread);
        }
    }

    /** Handles a place. Returns whether the thread continues. */
    private boolean passes(ProgramThread thread, ProgramStops.Stop stop, int count) {
        boolean isUnit = stop.is(ProgramPlaces.Kind.UNIT_FIRST);
        if (isUnit) {
            unitSections++;
            interrupted = interrupted == thread ? null : interrupted;
            thread.beginUnit();
        }
        boolean isPoint = plan.point != null && !wasHeld && count == plan.point.occurrence
                && plan.point.isAt(stop.point);
        if (isPoint) {
            before = thread.takeLines();
            interrupted = thread;
        }
        if (stop.is(ProgramPlaces.Kind.UNIT_ACCESS)) {
            visit(thread, stop.line);
        }
        if (plan.counts) {
            return true;
        }
        if (held != null && held != thread && stop.is(ProgramPlaces.Kind.BY_ACCESS)) {
            if (stop.isDirect) {
                interferes(thread);
            } else {
                thread.isAboutToInterfere = true;
            }
        }
        if (plan.point != null) {
            return !isPoint || !hold(thread);
        }
        if (thread.isInside()
                && stop.is(thread.isOfUnit ? ProgramPlaces.Kind.UNIT_LAST : ProgramPlaces.Kind.BY_LAST)) {
            thread.endSection();
            admit(now());
        }
        return !isUnit && !stop.is(ProgramPlaces.Kind.BY_FIRST) || begins(thread, isUnit);
    }

    private void visit(ProgramThread thread, String line) {
        thread.visit(line);
        if (thread == interrupted) {
            interrupted = thread.isInUnit() ? interrupted : null;
            after.add(line);
        }
    }

    /** A thread comes to a section in a serial run. Returns whether it continues at once. */
    private boolean begins(ProgramThread thread, boolean isUnit) {
        if (thread.isInside() && thread.isOfUnit != isUnit) {
            // The interfering method may be a part of a unit, or contain one: the thread stays in its section.
            thread.isOfUnit = true;
            return true;
        }
        thread.endSection();
        if (plan.holds && !wasHeld && isUnit && unitSections == plan.number) {
            thread.isOfUnit = true;
            return !hold(thread);
        }
        thread.isOfUnit = isUnit;
        if (!plan.holds && plan.number > 0 && pauses(thread)) {
            return false;
        }
        queue(thread);
        return false;
    }

    private void queue(ProgramThread thread) {
        queue.add(thread);
        boolean isDrawn = plan.number > 0 && draws++ < MAX_PAUSES;
        drawTime = now() + (isDrawn ? DRAW_DELAY : 0);
    }

    /** A thread interferes; it counts while another one is held. */
    private void interferes(ProgramThread thread) {
        if (held == null || held == thread) {
            return;
        }
        hasInterfered = true;
        if (plan.meets && interferer == null) {
            interferer = thread;
            thread.watch();
        }
    }

    /** Draws whether a thread pauses, and for how long. Returns whether it does. */
    private boolean pauses(ProgramThread thread) {
        int kind = random.nextInt(4);
        if (kind < 2 || pauses >= MAX_PAUSES) {
            return false;
        }
        pauses++;
        pausing.put(thread, now() + (kind == 2 ? random.nextInt(SHORT_PAUSE) : LONG_PAUSE));
        return true;
    }

    /** Ends the pauses whose time is over, or one of them if the program is idle. */
    private void endPauses(long now) {
        List<ProgramThread> ended = new ArrayList<>(pausing.keySet());
        ended.removeIf(thread -> pausing.get(thread) > now);
        if (ended.isEmpty() && !pausing.isEmpty() && threads.areIdle(now, PAUSE_IDLE_TIME)) {
            ended.add(new ArrayList<>(pausing.keySet()).get(random.nextInt(pausing.size())));
        }
        for (ProgramThread thread : ended) {
            pausing.remove(thread);
            queue(thread);
        }
    }

    /** Holds a thread. */
    private boolean hold(ProgramThread thread) {
        held = thread;
        heldSince = now();
        wasHeld = true;
        unitSectionsWhenHeld = unitSections;
        return true;
    }

    private void resumeInterferer() {
        released = null;
        if (isInterfererStopped) {
            isInterfererStopped = false;
            resume(interferer);
        }
    }

    /** Lets threads continue that have waited long enough. */
    private void schedule(long now) {
        threads.update(now, hasActed);
        hasActed = false;
        if (held != null && (now - heldSince > HOLD_TIME || threads.areIdle(now, IDLE_TIME))) {
            release();
        } else if (released != null && hasToWait(released, now)) {
            resumeInterferer();
        }
        endPauses(now);
        admit(now);
        boolean isAnyStopped = held != null || !queue.isEmpty() || isInterfererStopped || !pausing.isEmpty();
        long patience = threads.mayWake() ? HANG_TIME : SHORT_HANG_TIME;
        if (!isAnyStopped && threads.areRunning() && threads.areIdle(now, patience)) {
            ending = "hangs";
        }
    }

    private boolean hasToWait(ProgramThread thread, long now) {
        return threads.waits(thread.thread, now, BLOCKED_TIME) || now - heldSince > 2 * HOLD_TIME;
    }

    /** Releases the held thread. */
    private void release() {
        ProgramThread thread = held;
        held = null;
        if (isInterfererStopped) {
            released = thread;
            thread.watch();
        }
        if (plan.isSerial()) {
            queue(thread);
        } else {
            resume(thread);
        }
    }

    /** Lets one of the waiting threads enter its section, if no thread is active in a section. */
    private void admit(long now) {
        boolean mayDraw = now >= drawTime || threads.areIdle(now, DRAW_IDLE_TIME);
        if (queue.isEmpty() || !mayDraw || !isFree(now)) {
            return;
        }
        ProgramThread next = queue.remove(plan.number == 0 ? 0 : random.nextInt(queue.size()));
        next.beginSection(next.isOfUnit);
        resume(next);
    }

    private boolean isFree(long now) {
        for (ProgramThread thread : known.values()) {
            if (thread.isInside() && !threads.waits(thread.thread, now, BLOCKED_TIME)) {
                return false;
            }
        }
        return true;
    }
}
