package asercheck.confirm;

import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.StepEvent;
import com.sun.jdi.event.ThreadDeathEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.StepRequest;
import com.sun.jdi.request.ThreadDeathRequest;
import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * One run of a whole program, in a machine of its own, with its threads stopped as a plan says.
 *
 * <p>In a serial run, sections exclude each other: a thread that comes to one waits until nobody is within one, or
 * everybody who is waits for something. Who comes next is drawn, and threads are stopped before sections for some time;
 * nobody is stopped within one. In a run that is forced, a thread is held before an access in its section, while the
 * others go on: until all of them wait or have ended, or until one of them has interfered. A thread may be held likewise
 * before a section, in a serial run.
 */
final class ProgramRun {
    private static final long LONGEST = 15_000;
    /** For so many milliseconds a thread is held, if the others do not come to an end before. */
    private static final long HELD = 1_500;
    /** If nothing has moved for so many milliseconds, nothing will. */
    private static final long QUIET = 60;
    /** The same where it decides that the program hangs. */
    private static final long HANGS = 1_500;
    /** A thread that waits for so many milliseconds is blocked. */
    private static final long BLOCKED = 30;
    /** For so many milliseconds others may come, too, before one of them is drawn. */
    private static final long SETTLES = 15;
    /** In a loose run so many stops are made, which take so many milliseconds at most. */
    private static final int PAUSES = 60;
    private static final int SHORT = 20;
    private static final int LONG = 300;

    private final Machine machine;
    private final Guards guards;
    private final ProgramPlan plan;
    private final ProgramStops stops;
    private final ProgramThreads threads;
    private final ProgramOutput output = new ProgramOutput();
    private final Random random;

    private boolean isReady;
    private boolean isGone;
    private boolean isNews;
    private boolean hangs;
    /** Whether somebody has waited with an end. */
    private boolean hasTimed;
    private String guarded;

    /** Threads that wait for their turn. */
    private final List<ThreadReference> queue = new ArrayList<>();
    /** Threads that are within a section, with whether it is one of the unit. */
    private final Map<ThreadReference, Boolean> inside = new HashMap<>();
    private final Map<ThreadReference, StepRequest> stepping = new HashMap<>();
    /** Of threads that wait or are stopped before a section: whether it is one of the unit. */
    private final Map<ThreadReference, Boolean> turns = new HashMap<>();
    /** When it is drawn whose turn it is next. */
    private long settled;
    private int drawn;
    /** How often threads have begun with what would be torn apart; the same when a thread was held. */
    private int firsts;
    private int firstsWhenHeld;
    /** Threads that are stopped for some time, each with the end of it; it ends before if all others wait. */
    private final Map<ThreadReference, Long> pausing = new HashMap<>();
    private int pauses;

    /** The thread that is held, and when that began; whether there was one, and others have interfered then. */
    private ThreadReference held;
    private long heldSince;
    private boolean wasHeld;
    private boolean hasMet;
    /** A thread that has interfered, and is stopped until the one that was held has left its method. */
    private ThreadReference passer;
    private boolean isPasserStopped;
    private ThreadReference leaver;

    ProgramRun(Machine machine, File folder, ProgramPlan plan) {
        this.machine = machine;
        this.plan = plan;
        guards = new Guards(machine, folder);
        stops = new ProgramStops(machine, plan);
        threads = new ProgramThreads(machine);
        random = new Random(plan.number);
    }

    private static long now() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    /** Runs it to its end; what it was, or why there is none. */
    String run() throws InterruptedException {
        long until = now() + LONGEST;
        while (!isGone && guarded == null && !hangs && now() < until) {
            Object one = machine.news.poll(3, TimeUnit.MILLISECONDS);
            isNews = one != null;
            try {
                while (one != null) {
                    handle(one);
                    one = machine.news.poll();
                }
                if (isReady && !isGone) {
                    look(now());
                }
            } catch (VMDisconnectedException ended) {
                awaitEnd();
            }
        }
        if (guarded != null) {
            return Lines.join("guarded", guarded, "");
        }
        if (!isGone && !hangs) {
            return Lines.join("gone", "it does not end within " + LONGEST / 1000 + " s");
        }
        return answer();
    }

    /** The machine is ending: what it has said is still to be read. */
    private void awaitEnd() throws InterruptedException {
        long until = now() + 2_000;
        while (!isGone && now() < until) {
            Object one = machine.news.poll(20, TimeUnit.MILLISECONDS);
            if (one instanceof String) {
                output.add((String) one);
            }
            isGone = !machine.process.isAlive() && machine.news.isEmpty();
        }
        isGone = true;
    }

    private String answer() throws InterruptedException {
        boolean hasEnded = !hangs && machine.process.waitFor(2, TimeUnit.SECONDS);
        String ending = hasEnded ? "ends with code " + machine.process.exitValue() : "hangs";
        boolean depends = hasTimed || guards.hasDepended();
        List<String> fields = new ArrayList<>();
        fields.add(depends ? "depends" : !wasHeld ? "open" : hasMet ? "kept" : "held");
        fields.add(String.valueOf(firstsWhenHeld));
        List<String> points = stops.points();
        fields.add(String.valueOf(points.size()));
        fields.addAll(points);
        fields.addAll(Arrays.asList("the program", ending, "uncaught exceptions", output.thrown(), "output", output.text()));
        return Lines.join(fields);
    }

    private void handle(Object one) throws InterruptedException {
        if (one == Machine.GONE) {
            awaitEnd();
        } else if (one instanceof EventSet) {
            handle((EventSet) one);
        } else if (isReady) {
            output.add((String) one);
        } else if (one.equals(ProgramTarget.READY)) {
            install();
        }
    }

    private void install() {
        guards.installForProgram();
        guards.watch(true);
        stops.install();
        ThreadDeathRequest deaths = machine.vm.eventRequestManager().createThreadDeathRequest();
        deaths.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        deaths.enable();
        isReady = true;
        machine.say("go");
    }

    /** All that a thread has met at one place; it goes on unless it is to be stopped. */
    private void handle(EventSet set) {
        ThreadReference thread = null;
        boolean goesOn = true;
        for (Event event : set) {
            if (event instanceof StepEvent) {
                thread = ((StepEvent) event).thread();
                machine.vm.eventRequestManager().deleteEventRequest(stepping.remove(thread));
                goesOn &= hasLeft(thread);
            }
        }
        for (Event event : set) {
            if (event instanceof ClassPrepareEvent) {
                thread = ((ClassPrepareEvent) event).thread();
                stops.prepared(((ClassPrepareEvent) event).referenceType());
            } else if (event instanceof ThreadDeathEvent) {
                thread = ((ThreadDeathEvent) event).thread();
                goesOn &= hasLeft(thread);
            } else if (event instanceof BreakpointEvent && goesOn) {
                thread = ((BreakpointEvent) event).thread();
                goesOn = passes((BreakpointEvent) event, thread);
            }
        }
        if (thread != null && goesOn) {
            threads.resume(thread);
        } else if (thread != null) {
            threads.stop(thread);
        }
    }

    /** Whether a thread goes on from a breakpoint. */
    private boolean passes(BreakpointEvent event, ThreadReference thread) {
        ProgramStops.Stop stop = (ProgramStops.Stop) event.request().getProperty("stop");
        if (stop == null) {
            guarded = guards.isForbidden(event);
            return guarded == null;
        }
        stop.visit();
        hasTimed |= stop.isTimed;
        boolean isUnit = stop.kinds.contains(ProgramPlan.Kind.UNIT_FIRST);
        firsts += isUnit ? 1 : 0;
        if (plan.counts) {
            return true;
        }
        if (held != null && stop.kinds.contains(ProgramPlan.Kind.BY_ACCESS)) {
            meet(thread);
        }
        if (plan.point != null) {
            return wasHeld || !stop.isPoint || stop.visits != plan.point.occurrence || !hold(thread);
        }
        Boolean isOfUnit = inside.get(thread);
        if (isOfUnit != null && stop.kinds.contains(isOfUnit ? ProgramPlan.Kind.UNIT_LAST : ProgramPlan.Kind.BY_LAST)) {
            inside.remove(thread);
        }
        return !isUnit && !stop.kinds.contains(ProgramPlan.Kind.BY_FIRST) || begins(thread, isUnit);
    }

    /** A thread comes to a section, in a serial run; whether it goes on at once. */
    private boolean begins(ThreadReference thread, boolean isUnit) {
        Boolean isOfUnit = inside.get(thread);
        if (isOfUnit != null && isOfUnit != isUnit) {
            // What interferes may be a part of a unit, and the other way round: the thread stays inside.
            inside.put(thread, true);
            return true;
        }
        inside.remove(thread);
        if (plan.holds && !wasHeld && isUnit && firsts == plan.number) {
            return !hold(thread);
        }
        turns.put(thread, isUnit);
        if (!plan.holds && plan.number > 0 && pauses(thread)) {
            return false;
        }
        queue(thread);
        return false;
    }

    private void queue(ThreadReference thread) {
        queue.add(thread);
        boolean isDrawn = plan.number > 0 && drawn++ < PAUSES;
        settled = now() + (isDrawn ? SETTLES : 0);
    }

    /** A thread interferes while another one is held. */
    private void meet(ThreadReference thread) {
        hasMet = true;
        if (plan.meets && passer == null) {
            passer = thread;
            step(thread);
        }
    }

    /** Whether a thread is stopped for some time: it is drawn whether, and for how long. */
    private boolean pauses(ThreadReference thread) {
        int kind = random.nextInt(4);
        if (kind < 2 || pauses >= PAUSES) {
            return false;
        }
        pauses++;
        pausing.put(thread, now() + (kind == 2 ? random.nextInt(SHORT) : LONG));
        return true;
    }

    /** Lets those go on whose time is over; one of them, if nobody else moves. */
    private void endPauses(long now) {
        List<ThreadReference> ended = new ArrayList<>(pausing.keySet());
        ended.removeIf(thread -> pausing.get(thread) > now);
        if (ended.isEmpty() && !pausing.isEmpty() && threads.areQuiet(now, QUIET)) {
            ended.add(new ArrayList<>(pausing.keySet()).get(random.nextInt(pausing.size())));
        }
        for (ThreadReference thread : ended) {
            pausing.remove(thread);
            queue(thread);
        }
    }

    private boolean hold(ThreadReference thread) {
        held = thread;
        heldSince = now();
        wasHeld = true;
        firstsWhenHeld = firsts;
        return true;
    }

    /** Tells when a thread leaves the method in which it is. */
    private void step(ThreadReference thread) {
        if (stepping.containsKey(thread)) {
            return;
        }
        StepRequest request =
                machine.vm.eventRequestManager().createStepRequest(thread, StepRequest.STEP_MIN, StepRequest.STEP_OUT);
        request.addCountFilter(1);
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        request.enable();
        stepping.put(thread, request);
    }

    /** A thread has left what it was in, or has ended; whether it goes on. */
    private boolean hasLeft(ThreadReference thread) {
        inside.remove(thread);
        if (thread.equals(passer) && held != null) {
            isPasserStopped = true;
            return false;
        }
        if (thread.equals(leaver)) {
            letPasserGo();
        }
        return true;
    }

    private void letPasserGo() {
        leaver = null;
        if (isPasserStopped) {
            isPasserStopped = false;
            threads.resume(passer);
        }
    }

    private void look(long now) {
        threads.look(now, isNews);
        boolean isOver = held != null && (isPasserStopped || now - heldSince > HELD || threads.areQuiet(now, QUIET));
        if (isOver) {
            release();
        } else if (leaver != null && (threads.waits(leaver, now, BLOCKED) || now - heldSince > 2 * HELD)) {
            letPasserGo();
        }
        endPauses(now);
        admit(now);
        boolean isAnyStopped = held != null || !queue.isEmpty() || isPasserStopped || !pausing.isEmpty();
        hangs = !isAnyStopped && threads.areQuiet(now, HANGS);
    }

    private void release() {
        ThreadReference thread = held;
        held = null;
        if (isPasserStopped) {
            leaver = thread;
            step(thread);
        }
        if (plan.isSerial()) {
            turns.put(thread, true);
            queue(thread);
        } else {
            threads.resume(thread);
        }
    }

    /** Gives somebody the turn, if nobody has it who uses it. */
    private void admit(long now) {
        boolean isFree = inside.keySet().stream().allMatch(thread -> threads.waits(thread, now, BLOCKED));
        if (queue.isEmpty() || now < settled || !isFree) {
            return;
        }
        ThreadReference next = queue.remove(plan.number == 0 ? 0 : random.nextInt(queue.size()));
        inside.put(next, turns.remove(next));
        step(next);
        threads.resume(next);
    }
}
