package asercheck.confirm;

import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.StepEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.EventRequestManager;
import com.sun.jdi.request.MethodEntryRequest;
import com.sun.jdi.request.StepRequest;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs the client of a target by schedules, over the debugger connection. */
final class Runner {
    /** The milliseconds for a run. */
    private static final long RUN_TIMEOUT = 10_000;
    /** The milliseconds after which a waiting thread is blocked; the schedule then continues without it. */
    private static final long BLOCKED_TIME = 15;
    /** The same in a serial order, which is impossible if a thread is blocked. */
    private static final long SERIAL_BLOCKED_TIME = 1000;

    private final Machine machine;
    private final Guards guards;
    private final Side[] sides = {null, new Side(), new Side()};
    private String line;
    private String guarded;
    /** The method of the class path whose call led there. */
    private String guardedIn;
    private Trace trace;
    private long until;
    private boolean isGone;

    Runner(Machine machine, File folder) {
        this.machine = machine;
        guards = new Guards(machine, folder);
    }

    /** A thread of the client. */
    private static final class Side {
        ThreadReference thread;
        /** Whether the debugger holds it. */
        boolean isStopped;
        boolean hasEnded;
        /** The number of the current or next call. */
        int call;
        BreakpointRequest stop;
        boolean isAtStop;
    }

    /** Waits until the target is ready. Returns its answer, with the name and version of its virtual machine. */
    String started() throws InterruptedException {
        begin();
        String answer = lineOrEnd();
        if (answer.startsWith("ready\t")) {
            breakpointsAtGate();
            guards.install();
        }
        return answer;
    }

    private void breakpointsAtGate() {
        ReferenceType gate = machine.type(Gate.class.getName());
        for (String name : new String[] {"begin", "end"}) {
            Method method = gate.methodsByName(name).get(0);
            BreakpointRequest request = machine.vm.eventRequestManager().createBreakpointRequest(method.location());
            request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            request.putProperty("gate", name);
            request.enable();
        }
    }

    /** Passes a command to the target. Returns its answer. */
    String forward(String command) throws InterruptedException {
        begin();
        machine.send(command);
        return lineOrEnd();
    }

    private void begin() {
        line = null;
        guarded = null;
        trace = null;
        until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RUN_TIMEOUT);
        sides[1] = new Side();
        sides[2] = new Side();
    }

    /**
     * Runs the client by a schedule. The mode is {@code serial}, {@code forced}, or {@code watched}, which is slower,
     * and also notices waits that are native methods.
     */
    String run(String mode, long patience, List<Step> steps) throws InterruptedException {
        boolean isSerial = mode.equals("serial");
        begin();
        guards.watch(!isSerial);
        machine.send(Lines.join("run", String.valueOf(patience)));
        until += TimeUnit.MILLISECONDS.toNanos(patience);
        String failed = awaitBoth();
        if (failed != null) {
            return failed;
        }
        List<EventRequest> watching = mode.equals("watched") ? watchWaits() : new ArrayList<>();
        boolean isKept = true;
        for (Step step : steps) {
            if (line != null || guarded != null) {
                break;
            }
            if (step.side == 0) {
                pause(step.pause);
                continue;
            }
            isKept &= step(step, isSerial ? SERIAL_BLOCKED_TIME : BLOCKED_TIME);
            if (isSerial && !isKept) {
                break;
            }
        }
        release();
        String answer = lineOrEnd();
        if (!isGone) {
            machine.vm.eventRequestManager().deleteEventRequests(watching);
        }
        if (!answer.startsWith("outcome\t")) {
            return answer;
        }
        String kind = guards.hasDepended() ? "depends" : isKept ? "kept" : isSerial ? "blocked" : "changed";
        return Lines.join(kind) + answer.substring("outcome".length());
    }

    private List<EventRequest> watchWaits() {
        List<EventRequest> requests = new ArrayList<>();
        for (int i = 1; i <= 2; i++) {
            MethodEntryRequest request = machine.vm.eventRequestManager().createMethodEntryRequest();
            request.addThreadFilter(sides[i].thread);
            request.addClassFilter("java.lang.Object");
            request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            request.enable();
            requests.add(request);
        }
        return requests;
    }

    /**
     * Waits until both threads are at their first gates. Returns the answer if they never come there, otherwise null.
     */
    private String awaitBoth() throws InterruptedException {
        while (sides[1].thread == null || sides[2].thread == null) {
            handle(50);
            if (line != null || isOver()) {
                return line != null && line.startsWith("outcome\t") ? "failed" + line.substring(7) : lineOrEnd();
            }
        }
        return null;
    }

    /** Waits while the stopped threads stay stopped. */
    private void pause(long milliseconds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
        while (System.nanoTime() < end && line == null && !isOver()) {
            handle(2);
        }
    }

    private boolean isOver() {
        return guarded != null || isGone || System.nanoTime() > until;
    }

    /**
     * Lets a side run. Returns whether it reached the goal of the step; it may end before, or wait for the other side.
     */
    private boolean step(Step step, long patience) throws InterruptedException {
        Side side = sides[step.side];
        if (side.hasEnded) {
            return step.point == null;
        }
        side.isAtStop = false;
        if (step.point != null && !arm(side, step.point)) {
            return false;
        }
        int calls = side.call;
        resume(side);
        long blocked = 0;
        long last = System.nanoTime();
        while (line == null && !isOver()) {
            handle(blocked > 0 ? 3 : 1);
            if (side.hasEnded) {
                disarm(side);
                return step.point == null;
            }
            if (side.isAtStop) {
                disarm(side);
                return true;
            }
            if (side.isStopped && side.call > calls) {
                calls = side.call;
                if (step.call == side.call) {
                    return true;
                }
                resume(side);
            }
            long now = System.nanoTime();
            blocked = waits(side) ? blocked + now - last : 0;
            last = now;
            if (blocked > TimeUnit.MILLISECONDS.toNanos(patience)) {
                disarm(side);
                return false;
            }
        }
        disarm(side);
        return false;
    }

    private static boolean waits(Side side) {
        if (side.isStopped || side.hasEnded) {
            return false;
        }
        int status = side.thread.status();
        return status == ThreadReference.THREAD_STATUS_MONITOR || status == ThreadReference.THREAD_STATUS_WAIT;
    }

    private boolean arm(Side side, Point point) {
        Location location = location(point);
        if (location == null) {
            return false;
        }
        EventRequestManager manager = machine.vm.eventRequestManager();
        BreakpointRequest request = manager.createBreakpointRequest(location);
        request.addThreadFilter(side.thread);
        request.addCountFilter(point.occurrence);
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        request.enable();
        side.stop = request;
        return true;
    }

    private void disarm(Side side) {
        if (side.stop != null) {
            machine.vm.eventRequestManager().deleteEventRequest(side.stop);
            side.stop = null;
        }
    }

    private Location location(Point point) {
        ReferenceType type = machine.type(point.type);
        if (type == null) {
            return null;
        }
        for (Method method : type.methodsByName(point.method, point.descriptor)) {
            return method.locationOfCodeIndex(point.index);
        }
        return null;
    }

    private static void resume(Side side) {
        side.isStopped = false;
        side.thread.resume();
    }

    /** Lets both sides run to their ends. */
    private void release() throws InterruptedException {
        for (int i = 1; i <= 2; i++) {
            disarm(sides[i]);
        }
        while (line == null && !isOver()) {
            for (int i = 1; i <= 2; i++) {
                if (sides[i].isStopped) {
                    resume(sides[i]);
                }
            }
            handle(20);
        }
    }

    /** Returns the next line of the target, or the reason why there is none. */
    private String lineOrEnd() throws InterruptedException {
        while (line == null && !isOver()) {
            handle(50);
            for (int i = 1; i <= 2; i++) {
                if (sides[i].isStopped) {
                    resume(sides[i]);
                }
            }
        }
        if (guarded != null) {
            return Lines.join("guarded", guarded, guardedIn);
        }
        return line != null ? line : Lines.join("gone", isGone ? "the target has ended" : "it does not end");
    }

    /** Waits some milliseconds for a message, and handles all messages. */
    private void handle(long milliseconds) throws InterruptedException {
        Object one = machine.messages.poll(milliseconds, TimeUnit.MILLISECONDS);
        while (one != null) {
            handle(one);
            one = machine.messages.poll();
        }
    }

    private void handle(Object one) {
        if (one == Machine.GONE) {
            isGone = true;
        } else if (one instanceof String) {
            line = (String) one;
        } else if (one instanceof EventSet) {
            ((EventSet) one).forEach(this::handle);
        } else if (one instanceof StepEvent) {
            StepEvent event = (StepEvent) one;
            if (trace != null) {
                trace.add(event.location());
            }
            event.thread().resume();
        } else if (one instanceof MethodEntryEvent) {
            MethodEntryEvent event = (MethodEntryEvent) one;
            guards.entered(event);
            event.thread().resume();
        } else if (one instanceof BreakpointEvent) {
            handle((BreakpointEvent) one);
        }
    }

    private void handle(BreakpointEvent event) {
        Object gate = event.request().getProperty("gate");
        ThreadReference thread = event.thread();
        if (gate != null) {
            atGate(thread, gate.equals("end"));
            return;
        }
        for (int i = 1; i <= 2; i++) {
            if (event.request() == sides[i].stop) {
                sides[i].isAtStop = true;
                sides[i].isStopped = true;
                return;
            }
        }
        String effect = guards.forbidden(event);
        if (effect != null) {
            guarded = effect;
            guardedIn = Guards.firstCalled(thread);
        } else {
            thread.resume();
        }
    }

    private void atGate(ThreadReference thread, boolean isEnd) {
        for (int i = 1; i <= 2; i++) {
            Side side = sides[i];
            boolean isNew = side.thread == null && thread.name().equals("thread " + i);
            if (isNew || thread.equals(side.thread)) {
                side.call = isNew ? 0 : side.call + 1;
                side.thread = thread;
                side.hasEnded = isEnd;
                side.isStopped = !isEnd;
                if (isEnd) {
                    thread.resume();
                }
                return;
            }
        }
        thread.resume();
    }

    /** Runs a side alone, instruction by instruction, then the other side. Returns the accesses of the first. */
    String trace(int number, int most) throws InterruptedException {
        begin();
        guards.watch(false);
        machine.send(Lines.join("run", "1000", "warm"));
        String failed = awaitBoth();
        if (failed != null) {
            return failed;
        }
        trace = new Trace(most);
        Side side = sides[number];
        StepRequest request = machine.vm.eventRequestManager()
                .createStepRequest(side.thread, StepRequest.STEP_MIN, StepRequest.STEP_INTO);
        Trace.EXCLUDED.forEach(request::addClassExclusionFilter);
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        request.enable();
        int calls = side.call;
        resume(side);
        while (!side.hasEnded && line == null && !isOver() && !trace.isFull()) {
            handle(20);
            if (side.isStopped && side.call > calls) {
                calls = side.call;
                resume(side);
            }
        }
        machine.vm.eventRequestManager().deleteEventRequest(request);
        Trace done = trace;
        trace = null;
        release();
        String answer = lineOrEnd();
        if (!answer.startsWith("outcome\t")) {
            return answer;
        }
        List<String> fields = new ArrayList<>();
        fields.add("trace");
        fields.addAll(done.texts());
        return Lines.join(fields);
    }
}
