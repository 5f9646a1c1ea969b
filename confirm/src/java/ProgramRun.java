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
 * One run of a whole program, in a virtual machine of its own, with its threads stopped as a plan says.
 *
 * <p>In a serial run, sections exclude each other: a thread waits before its section until no thread is in a section,
 * or all threads in sections wait. The next thread is draws at random, and threads pause before sections; no thread
 * stops within one. In a forced run, a thread is held before an access in its section while the others continue, until
 * all of them wait or have ended, or until one of them has interfered. In a serial run, a thread may be held before a
 * section in the same way.
 */
final class ProgramRun {
    /** The milliseconds for a run. */
    private static final long RUN_TIMEOUT = 15_000;
    /** The milliseconds for which a thread is held, if the others do not end before. */
    private static final long HOLD_TIME = 1_500;
    /** The milliseconds without progress after which the program is idle. */
    private static final long IDLE_TIME = 60;
    /** The milliseconds without progress after which the program hangs. */
    private static final long HANG_TIME = 1_500;
    /** The milliseconds after which a waiting thread is blocked. */
    private static final long BLOCKED_TIME = 30;
    /** The milliseconds in which more threads may arrive before one of them is draws. */
    private static final long DRAW_DELAY = 15;
    /** The largest number of pauses in a serial run, and the milliseconds of a short and of a long one. */
    private static final int MAX_PAUSES = 60;
    private static final int SHORT_PAUSE = 20;
    private static final int LONG_PAUSE = 300;

    private final ProgramMachine machine;
    private final ProgramGuards guards;
    private final ProgramPlan plan;
    private final ProgramStops stops;
    private final ProgramThreads threads;
    private final ProgramOutput output = new ProgramOutput();
    private final Random random;

    private boolean isReady;
    private boolean isGone;
    private boolean hasMessages;
    private boolean hangs;
    /** Whether a thread has waited with a timeout. */
    private boolean hasTimedWait;
    private String guarded;

    /** Threads that wait for their turn. */
    private final List<ThreadReference> queue = new ArrayList<>();
    /** The threads in sections, with whether the section is one of the unit. */
    private final Map<ThreadReference, Boolean> inside = new HashMap<>();
    private final Map<ThreadReference, StepRequest> stepping = new HashMap<>();
    /** The threads that stop before sections, with whether the section is one of the unit. */
    private final Map<ThreadReference, Boolean> turns = new HashMap<>();
    /** The time of the next draw, and the number of draws. */
    private long drawTime;
    private int draws;
    /** The number of sections of the unit that have begun; the same at the time when a thread was held. */
    private int unitSections;
    private int unitSectionsWhenHeld;
    /** The threads that pause, with the end of the pause. A pause ends earlier if all other threads wait. */
    private final Map<ThreadReference, Long> pausing = new HashMap<>();
    private int pauses;

    /** The held thread and the time when it stopped; whether there was one, and whether others interfered then. */
    private ThreadReference held;
    private long heldSince;
    private boolean wasHeld;
    private boolean hasInterfered;
    /** A thread that has interfered. It stops after its method, until the released thread has left its own. */
    private ThreadReference interferer;
    private boolean isInterfererStopped;
    /** The thread that was held, until it leaves its method. */
    private ThreadReference released;

    ProgramRun(ProgramMachine machine, File folder, ProgramPlan plan) {
        this.machine = machine;
        this.plan = plan;
        guards = new ProgramGuards(machine, folder);
        stops = new ProgramStops(machine, plan);
        threads = new ProgramThreads(machine);
        random = new Random(plan.number);
    }

    private static long now() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    /** Runs the program to its end. Returns the answer for the command. */
    String run() throws InterruptedException {
        long until = now() + RUN_TIMEOUT;
        while (!isGone && guarded == null && !hangs && now() < until) {
            Object one = machine.messages.poll(3, TimeUnit.MILLISECONDS);
            hasMessages = one != null;
            try {
                while (one != null) {
                    handle(one);
                    one = machine.messages.poll();
                }
                if (isReady && !isGone) {
                    schedule(now());
                }
            } catch (VMDisconnectedException ended) {
                awaitEnd();
            }
        }
        if (guarded != null) {
            return Lines.join("guarded", guarded, "");
        }
        if (!isGone && !hangs) {
            return Lines.join("gone", "it does not end within " + RUN_TIMEOUT / 1000 + " s");
        }
        return answer();
    }

    /** Reads the rest of the output of a machine that ends. */
    private void awaitEnd() throws InterruptedException {
        long until = now() + 2_000;
        while (!isGone && now() < until) {
            Object one = machine.messages.poll(20, TimeUnit.MILLISECONDS);
            if (one instanceof String) {
                output.add((String) one);
            }
            isGone = !machine.process.isAlive() && machine.messages.isEmpty();
        }
        isGone = true;
    }

    private String answer() throws InterruptedException {
        boolean hasEnded = !hangs && machine.process.waitFor(2, TimeUnit.SECONDS);
        String ending = hasEnded ? "ends with code " + machine.process.exitValue() : "hangs";
        boolean depends = hasTimedWait || guards.hasDepended();
        List<String> fields = new ArrayList<>();
        fields.add(depends ? "depends" : !wasHeld ? "open" : hasInterfered ? "kept" : "held");
        fields.add(String.valueOf(unitSectionsWhenHeld));
        List<String> points = stops.points();
        fields.add(String.valueOf(points.size()));
        fields.addAll(points);
        fields.addAll(Arrays.asList("the program", ending, "uncaught exceptions", output.thrown(), "output", output.text()));
        return Lines.join(fields);
    }

    private void handle(Object one) throws InterruptedException {
        if (one == ProgramMachine.GONE) {
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
        machine.send("go");
    }

    /** Handles all events of a thread at one place. The thread continues unless one of them stops it. */
    private void handle(EventSet set) {
        ThreadReference thread = null;
        boolean continues = true;
        for (Event event : set) {
            if (event instanceof StepEvent) {
                thread = ((StepEvent) event).thread();
                machine.vm.eventRequestManager().deleteEventRequest(stepping.remove(thread));
                continues &= hasLeft(thread);
            }
        }
        for (Event event : set) {
            if (event instanceof ClassPrepareEvent) {
                thread = ((ClassPrepareEvent) event).thread();
                stops.prepared(((ClassPrepareEvent) event).referenceType());
            } else if (event instanceof ThreadDeathEvent) {
                thread = ((ThreadDeathEvent) event).thread();
                continues &= hasLeft(thread);
            } else if (event instanceof BreakpointEvent && continues) {
                thread = ((BreakpointEvent) event).thread();
                continues = passes((BreakpointEvent) event, thread);
            }
        }
        if (thread != null && continues) {
            threads.resume(thread);
        } else if (thread != null) {
            threads.stop(thread);
        }
    }

    /** Handles a breakpoint. Returns whether the thread continues. */
    private boolean passes(BreakpointEvent event, ThreadReference thread) {
        ProgramStops.Stop stop = (ProgramStops.Stop) event.request().getProperty("stop");
        if (stop == null) {
            guarded = guards.forbidden(event);
            return guarded == null;
        }
        stop.visit();
        hasTimedWait |= stop.isTimed;
        boolean isUnit = stop.kinds.contains(ProgramPlan.Kind.UNIT_FIRST);
        unitSections += isUnit ? 1 : 0;
        if (plan.counts) {
            return true;
        }
        if (held != null && stop.kinds.contains(ProgramPlan.Kind.BY_ACCESS)) {
            interferes(thread);
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

    /** A thread comes to a section in a serial run. Returns whether it continues at once. */
    private boolean begins(ThreadReference thread, boolean isUnit) {
        Boolean isOfUnit = inside.get(thread);
        if (isOfUnit != null && isOfUnit != isUnit) {
            // The interfering method may be a part of a unit, or contain one: the thread stays in its section.
            inside.put(thread, true);
            return true;
        }
        inside.remove(thread);
        if (plan.holds && !wasHeld && isUnit && unitSections == plan.number) {
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
        boolean isDrawn = plan.number > 0 && draws++ < MAX_PAUSES;
        drawTime = now() + (isDrawn ? DRAW_DELAY : 0);
    }

    /** A thread interferes while another one is held. */
    private void interferes(ThreadReference thread) {
        hasInterfered = true;
        if (plan.meets && interferer == null) {
            interferer = thread;
            step(thread);
        }
    }

    /** Draws whether a thread pauses, and for how long. Returns whether it does. */
    private boolean pauses(ThreadReference thread) {
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
        List<ThreadReference> ended = new ArrayList<>(pausing.keySet());
        ended.removeIf(thread -> pausing.get(thread) > now);
        if (ended.isEmpty() && !pausing.isEmpty() && threads.areIdle(now, IDLE_TIME)) {
            ended.add(new ArrayList<>(pausing.keySet()).get(random.nextInt(pausing.size())));
        }
        for (ThreadReference thread : ended) {
            pausing.remove(thread);
            queue(thread);
        }
    }

    /** Holds a thread. */
    private boolean hold(ThreadReference thread) {
        held = thread;
        heldSince = now();
        wasHeld = true;
        unitSectionsWhenHeld = unitSections;
        return true;
    }

    /** Requests an event for the time when a thread leaves its current method. */
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

    /** A thread has left its method, or has ended. Returns whether it continues. */
    private boolean hasLeft(ThreadReference thread) {
        inside.remove(thread);
        if (thread.equals(interferer) && held != null) {
            isInterfererStopped = true;
            return false;
        }
        if (thread.equals(released)) {
            resumeInterferer();
        }
        return true;
    }

    private void resumeInterferer() {
        released = null;
        if (isInterfererStopped) {
            isInterfererStopped = false;
            threads.resume(interferer);
        }
    }

    /** Lets threads continue that have waited long enough. */
    private void schedule(long now) {
        threads.update(now, hasMessages);
        boolean isOver = held != null && (isInterfererStopped || now - heldSince > HOLD_TIME || threads.areIdle(now, IDLE_TIME));
        if (isOver) {
            release();
        } else if (released != null && (threads.waits(released, now, BLOCKED_TIME) || now - heldSince > 2 * HOLD_TIME)) {
            resumeInterferer();
        }
        endPauses(now);
        admit(now);
        boolean isAnyStopped = held != null || !queue.isEmpty() || isInterfererStopped || !pausing.isEmpty();
        hangs = !isAnyStopped && threads.areIdle(now, HANG_TIME);
    }

    /** Releases the held thread. */
    private void release() {
        ThreadReference thread = held;
        held = null;
        if (isInterfererStopped) {
            released = thread;
            step(thread);
        }
        if (plan.isSerial()) {
            turns.put(thread, true);
            queue(thread);
        } else {
            threads.resume(thread);
        }
    }

    /** Lets one of the waiting threads enter its section, if no thread is active in a section. */
    private void admit(long now) {
        boolean isFree = inside.keySet().stream().allMatch(thread -> threads.waits(thread, now, BLOCKED_TIME));
        if (queue.isEmpty() || now < drawTime || !isFree) {
            return;
        }
        ThreadReference next = queue.remove(plan.number == 0 ? 0 : random.nextInt(queue.size()));
        inside.put(next, turns.remove(next));
        step(next);
        threads.resume(next);
    }
}
