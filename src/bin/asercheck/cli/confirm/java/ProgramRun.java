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
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * One run of a whole program, in a machine of its own, with its threads stopped as a plan says.
 *
 * <p>In a serial run, calls of the unit and of what interferes exclude each other: a thread that comes to such a call waits until nobody
 * is inside of one, or everybody who is waits for something. In a run that is forced, a thread is held before an access of its
 * unit, while the others go on: until all of them wait or have ended, or until one of them has interfered.
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

    /** Threads that wait for their turn, and those who have it. */
    private final List<Arrival> queue = new ArrayList<>();
    private final Set<ThreadReference> inside = new HashSet<>();
    private long settled;
    private int arrivals;

    /** The thread that is held, and when that began; whether there was one, and others have interfered then. */
    private ThreadReference held;
    private Arrival heldArrival;
    private long heldSince;
    private boolean wasHeld;
    private boolean hasMet;
    /** A thread that has interfered, and is stopped until the one that was held has left its method. */
    private ThreadReference passer;
    private boolean isPasserStopped;
    private ThreadReference leaver;

    /** A thread that came to a call, or to the beginning of what is called. */
    private static final class Arrival {
        final ThreadReference thread;
        final boolean isAtCall;

        Arrival(ThreadReference thread, boolean isAtCall) {
            this.thread = thread;
            this.isAtCall = isAtCall;
        }
    }

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
        boolean depends = !plan.isSerial && (hasTimed || guards.hasDepended());
        String kind = depends ? "depends" : !wasHeld ? "open" : hasMet ? "kept" : "held";
        List<String> fields = new ArrayList<>();
        fields.add(plan.isSerial ? "serial" : kind);
        List<String> points = stops.points();
        fields.add(String.valueOf(points.size()));
        fields.addAll(points);
        for (String field : new String[] {"the program", ending, "uncaught exceptions", output.thrown(), "output", output.text()}) {
            fields.add(field);
        }
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
        guards.watch(!plan.isSerial);
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
                machine.vm.eventRequestManager().deleteEventRequest(event.request());
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
        if (plan.isSerial) {
            return passesSerially(stop, thread);
        }
        if (stop.isPoint && !wasHeld && stop.visits == plan.point.occurrence) {
            hold(thread);
            return false;
        }
        if (held != null && stop.kinds.contains(ProgramPlan.Kind.BY_ACCESS)) {
            hasMet = true;
            if (plan.meets && passer == null) {
                passer = thread;
                step(thread, StepRequest.STEP_OUT);
            }
        }
        return true;
    }

    private boolean passesSerially(ProgramStops.Stop stop, ThreadReference thread) {
        boolean isEntry = stop.kinds.stream().anyMatch(ProgramPlan.Kind.ENTRIES::contains);
        if (!isEntry || inside.contains(thread)) {
            return true;
        }
        boolean isAtCall = stop.kinds.stream().anyMatch(ProgramPlan.Kind::isCall);
        Arrival arrival = new Arrival(thread, isAtCall);
        boolean isOfUnit = stop.kinds.stream().anyMatch(kind -> kind.isOfUnit() && ProgramPlan.Kind.ENTRIES.contains(kind));
        if (plan.isLast && isOfUnit && !wasHeld && ++arrivals == plan.number) {
            heldArrival = arrival;
            hold(thread);
        } else {
            queue.add(arrival);
            settled = now() + (plan.number == 0 ? 0 : SETTLES);
        }
        return false;
    }

    private void hold(ThreadReference thread) {
        held = thread;
        heldSince = now();
        wasHeld = true;
    }

    private void step(ThreadReference thread, int depth) {
        StepRequest request = machine.vm.eventRequestManager().createStepRequest(thread, StepRequest.STEP_MIN, depth);
        request.addCountFilter(1);
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        request.enable();
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
        boolean isOver = held != null && (isPasserStopped || now - heldSince > HELD || isQuietEnough(now));
        if (isOver) {
            release();
        } else if (leaver != null && (threads.waits(leaver, now, BLOCKED) || now - heldSince > 2 * HELD)) {
            letPasserGo();
        }
        admit(now);
        hangs = held == null && queue.isEmpty() && !isPasserStopped && threads.areQuiet(now, HANGS);
    }

    private boolean isQuietEnough(long now) {
        return queue.isEmpty() && threads.areQuiet(now, QUIET);
    }

    private void release() {
        ThreadReference thread = held;
        held = null;
        if (heldArrival != null) {
            queue.add(heldArrival);
            heldArrival = null;
            return;
        }
        if (isPasserStopped) {
            leaver = thread;
            step(thread, StepRequest.STEP_OUT);
        }
        threads.resume(thread);
    }

    /** Gives somebody the turn, if nobody has it who uses it. */
    private void admit(long now) {
        boolean isFree = inside.stream().allMatch(thread -> threads.waits(thread, now, BLOCKED));
        if (queue.isEmpty() || now < settled || !isFree) {
            return;
        }
        Arrival next = queue.remove(plan.number == 0 ? 0 : random.nextInt(queue.size()));
        inside.add(next.thread);
        step(next.thread, next.isAtCall ? StepRequest.STEP_OVER : StepRequest.STEP_OUT);
        threads.resume(next.thread);
    }
}
