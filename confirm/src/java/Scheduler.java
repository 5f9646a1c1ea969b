package asercheck.confirm;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Runs two threads by a schedule: at each time, one of them has the <em>turn</em>, and the other one waits in a hook.
 *
 * <p>Rewritten code calls a {@link Hook} before each access to a field or an element of an array, before monitor
 * operations, and in methods that park. A switch can only be there. This suffices: a thread that stops anywhere else
 * may as well continue to its next hook, because the other thread neither observes nor changes its steps until then.
 * Hooks of other threads have no effect.
 *
 * <p>Before a thread would block on a monitor that the other one holds, it gives up the turn. The holders are known
 * from the hooks. Only a synchronized method of the class library has its lock before its first hook; there the waiting
 * thread sees the state of the other one, and takes the turn. When the lock is free, the blocked thread comes to the
 * hook at the beginning of the method, and waits there for its turn, so it makes no access without it.
 *
 * <p>Invariant: an access of a thread happens only while it has the turn. So the order of the accesses follows from the
 * schedule alone, unless other threads or the time intervene. No answer relies on this: the outcome of a run is real
 * in any case.
 */
final class Scheduler {
    /** A run with more hooks is given up, as one that does not end. */
    private static final int MAX_HOOKS = 2_000_000;
    /**
     * The hooks without a switch after which a thread seems to wait for the other one in a loop. A serial order must
     * not be given up because a call has many accesses; a forced schedule may be.
     */
    private static final int SPIN_HOOKS = 30_000;
    private static final int SERIAL_SPIN_HOOKS = 500_000;
    /** The hooks for which a yield counts. */
    private static final int YIELD_HOOKS = 2_000;
    private static final int SPINS = 300;
    private static final long POLL_NANOS = 50_000;
    private static final long SLOW_POLL_NANOS = 2_000_000;
    /** The number of looks after which a thread counts as blocked by a monitor that the other side does not hold. */
    private static final int MIN_BLOCKED = 10;
    private static final long ARRIVAL = 5_000_000;
    /**
     * The nanoseconds for which the threads without a schedule are idle, or busy, before a parked side gives up the
     * turn. A serial order must not be given up early.
     */
    private static final long IDLE = 1_000_000;
    private static final long SERIAL_IDLE = 50_000_000;
    private static final long BUSY = 1_000_000_000;

    private static volatile Scheduler current;
    /** The thread that watches the runs. */
    private static volatile Thread watcher;

    final Side[] sides = {null, new Side(1), new Side(2)};
    /** The number of the side that may run; 0 if both wait for something else, or before and after the run. */
    private final AtomicInteger turn = new AtomicInteger();
    private Steps steps = Steps.NONE;
    private int step;
    /** The switches that the schedule made: side and number of the hook. */
    final List<int[]> switches = new ArrayList<>();
    /** Each time at which a side got the turn: its number, and the number of its hooks so far. */
    final List<int[]> grants = new ArrayList<>();
    /** The hooks of both sides so far, in this run and since the last switch. */
    private volatile int total;
    private int sinceSwitch;
    /** The number of hooks before the run. */
    private int base;
    /** The time at which the first side got the turn, and the nanoseconds until the run ended. */
    private long went;
    private long nanoseconds;
    volatile boolean isKept;
    volatile boolean hasDepended;
    private volatile boolean isGivenUp;
    /** The thread that waits for the end of the run. */
    private volatile Thread owner;
    /** Is told each access; null if nobody is. */
    volatile Recorder recorder;

    /** Records the accesses of a run. */
    interface Recorder {
        /** A side makes an access at a site. */
        void at(Side side, int site);
    }

    /** Ends a thread whose run is given up. */
    static final class GivenUp extends Error {
        private static final long serialVersionUID = 1;

        GivenUp() {
            super("the run is given up", null, false, false);
        }
    }

    /** Begins a run of two threads, which call {@link #start} first. */
    void begin(Steps schedule, Thread first, Thread second) {
        owner = Thread.currentThread();
        steps = schedule;
        step = -1;
        switches.clear();
        grants.clear();
        total++;
        base = total;
        sinceSwitch = 0;
        isKept = true;
        hasDepended = false;
        isGivenUp = false;
        sides[1].reset(first);
        sides[2].reset(second);
        turn.set(0);
        went = System.nanoTime();
        current = this;
    }

    /** Gives the turn to the side of the first step. */
    void go() {
        went = System.nanoTime();
        next(null);
    }

    /** Ends the run: hooks have no effect any more. */
    void end() {
        current = null;
        nanoseconds = System.nanoTime() - went;
    }

    /**
     * Returns the milliseconds of the last run, without the time in which its objects were made. A run whose sides wait
     * forever has not ended.
     */
    long milliseconds() {
        return (current == this ? System.nanoTime() - went : nanoseconds) / 1_000_000;
    }

    boolean hasEnded() {
        return sides[1].isDone && sides[2].isDone;
    }

    /** Whether both sides have made their last calls. They may not have given up the turn. */
    private boolean isEnding() {
        return sides[1].state == Side.State.ENDED && sides[2].state == Side.State.ENDED;
    }

    /** Whether no side has the turn, because both wait for a lock, a notification, or their end. */
    boolean isIdle() {
        return turn.get() == 0;
    }

    /**
     * Waits for the end of a run of other threads. Returns whether both sides wait forever: no thread has done
     * anything for some milliseconds, or for a short time if there are no other threads.
     */
    boolean await(long patience) {
        Watch watch = new Watch(patience);
        while (!hasEnded()) {
            LockSupport.parkNanos(1_000_000);
            if (!hasEnded() && watch.hangs()) {
                return true;
            }
        }
        return false;
    }

    /** Returns a watch for this thread, which takes no part in the runs. */
    Watch watch(long patience) {
        watcher = Thread.currentThread();
        return new Watch(patience);
    }

    /** Watches the progress of runs. */
    final class Watch {
        /** The milliseconds without progress after which a run is given up. */
        private static final long STALLED = 2000;
        /** The milliseconds for which both sides must wait if there are no threads that could wake them. */
        private static final long ALONE = 20;
        /** A run is given up after so many times the patience, even if it makes progress: its calls may be endless. */
        private static final long LONGEST = 8;

        private final long patience;
        private int progress = -1;
        private long since;
        /** The time since which both sides wait. */
        private long idleSince;

        private Watch(long patience) {
            this.patience = patience;
        }

        /**
         * Whether both sides of the run wait forever. Gives up a run that makes no progress although a side could, and
         * one that takes too long.
         */
        boolean hangs() {
            long now = System.nanoTime();
            boolean isIdle = isIdle() && !isEnding() && current != null;
            if (progress != total || isIdle && !OtherThreads.areIdle(false)) {
                progress = total;
                since = now;
            }
            // Before, a side may have paused for some time.
            idleSince = isIdle && since < now ? idleSince : now;
            if (isIdle) {
                long limit = OtherThreads.areNone() ? Math.min(ALONE, patience) : patience;
                return (now - idleSince) / 1_000_000 >= limit;
            }
            boolean isEndless = milliseconds() > LONGEST * patience;
            if ((isEndless || (now - since) / 1_000_000 > STALLED) && current != null) {
                giveUp();
                throw new Stalled();
            }
            return false;
        }
    }

    /** A run that makes no progress, although a thread could go on. */
    static final class Stalled extends RuntimeException {
        private static final long serialVersionUID = 1;

        Stalled() {
            super("it does not end", null, false, false);
        }
    }

    /** The first action of a side: waits for its turn. */
    void start(Side side) {
        awaitTurn(side);
    }

    /** A side is about to make a call. */
    void atCall(Side side, int call) {
        side.call = call;
        if (side.stopCall == call) {
            next(side);
        }
        side.off = 0;
    }

    /** A call of a side has returned. */
    void returned(Side side) {
        side.off = 1;
    }

    /** A side has made its last call. */
    void ended(Side side) {
        side.off = 1;
        side.state = Side.State.ENDED;
        isKept &= !(isAhead(side) && steps.stops(step));
        next(side);
        side.isDone = true;
        LockSupport.unpark(owner);
    }

    private Side other(Side side) {
        return sides[3 - side.number];
    }

    private boolean canRun(Side side) {
        switch (side.state) {
            case RUNNING:
                return true;
            case BLOCKED:
                return !other(side).holds(side.on);
            case PARKED:
            case PARKED_TIMED:
                return side.hasPermit;
            case WAITING:
            case WAITING_TIMED:
                return side.isWoken && !other(side).holds(side.on);
            case BLOCKED_BY_MACHINE:
                return side.thread.getState() != Thread.State.BLOCKED;
            default:
                return false;
        }
    }

    /**
     * Ends the step of a side, and gives the turn to the side of the next one that can run. After the last step, or if
     * none of them can run, any side that can run gets it. Returns when the side has the turn again; one that has ended
     * does not wait. Without a side, the caller is no part of the run.
     */
    private void next(Side side) {
        Side chosen = choose(side);
        sinceSwitch = 0;
        if (chosen == side && side != null) {
            return;
        }
        if (side != null) {
            side.off++;
        }
        grant(chosen);
        if (side != null && side.state != Side.State.ENDED) {
            awaitTurn(side);
            side.off--;
        }
    }

    private Side choose(Side side) {
        sides[1].clearStop();
        sides[2].clearStop();
        while (step + 1 < steps.size()) {
            step++;
            if (steps.side(step) == 0) {
                pause(side, steps.pause(step));
                continue;
            }
            Side wanted = sides[steps.side(step)];
            if (wanted.state == Side.State.ENDED) {
                isKept &= !steps.stops(step);
            } else if (canRun(wanted)) {
                steps.arm(step, wanted);
                return wanted;
            } else {
                isKept = false;
            }
        }
        for (Side one : side == null ? new Side[] {sides[1], sides[2]} : new Side[] {side, other(side)}) {
            if (canRun(one)) {
                return one;
            }
        }
        return timedOut();
    }

    /** A wait with a timeout ends if nothing else can happen. The outcome then depends on time. */
    private Side timedOut() {
        for (int i = 1; i <= 2; i++) {
            Side side = sides[i];
            boolean isTimedWait = side.state == Side.State.WAITING_TIMED && !other(side).holds(side.on);
            if (side.state == Side.State.PARKED_TIMED || isTimedWait) {
                hasDepended = true;
                side.isWoken = true;
                side.hasPermit = true;
                return side;
            }
        }
        return null;
    }

    private static void pause(Side side, long milliseconds) {
        if (side != null) {
            side.off++;
        }
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        if (side != null) {
            side.off--;
        }
    }

    /** Waits until a side has the turn. Takes it from the other one if the Java machine has blocked that. */
    private void awaitTurn(Side side) {
        Side other = other(side);
        int spins = 0;
        int blocked = 0;
        int seen = -1;
        while (turn.get() != side.number) {
            if (isGivenUp) {
                throw new GivenUp();
            }
            if (spins++ < SPINS) {
                Thread.onSpinWait();
                continue;
            }
            boolean isBlocked = canRun(side) && isBlockedByMachine(other);
            blocked = isBlocked && other.count == seen ? blocked + 1 : 0;
            seen = other.count;
            // The library also has monitors without hooks; a thread waits for them for a short time.
            if (blocked >= (side.holdsAny() ? 1 : MIN_BLOCKED)) {
                other.state = Side.State.BLOCKED_BY_MACHINE;
                isKept = false;
                if (turn.compareAndSet(other.number, side.number)) {
                    grants.add(new int[] {side.number, side.count});
                    resumeAfter(side);
                    break;
                }
            }
            LockSupport.parkNanos(side.holdsAny() ? POLL_NANOS : SLOW_POLL_NANOS);
        }
        side.state = Side.State.RUNNING;
    }

    /** Continues with the step after the one whose side is blocked, if it is a step of this side. */
    private void resumeAfter(Side side) {
        sides[1].clearStop();
        sides[2].clearStop();
        if (step + 1 < steps.size() && steps.side(step + 1) == side.number) {
            step++;
            steps.arm(step, side);
        }
    }

    private boolean isBlockedByMachine(Side side) {
        int before = side.count;
        return turn.get() == side.number && side.state == Side.State.RUNNING
                && side.thread.getState() == Thread.State.BLOCKED && side.count == before;
    }

    /** A thread without a schedule has changed something: a side may be able to run. */
    private void changed(Side side) {
        if (canRun(side) && turn.compareAndSet(0, side.number)) {
            LockSupport.unpark(side.thread);
        }
    }

    /** Ends both threads at their next hooks. */
    void giveUp() {
        isGivenUp = true;
        LockSupport.unpark(sides[1].thread);
        LockSupport.unpark(sides[2].thread);
    }

    /** A hook of a side: records the access, and stops the side if the schedule says so. */
    private void at(Side side, Object object, int site, int index) {
        // Collections of the library have hooks, too.
        side.off++;
        if (side.state == Side.State.BLOCKED_BY_MACHINE) {
            side.state = Side.State.RUNNING;
            turn.compareAndSet(0, side.number);
        }
        if (turn.get() != side.number) {
            awaitTurn(side);
        }
        if (other(side).state == Side.State.BLOCKED_BY_MACHINE && !side.holdsAny()) {
            awaitArrival(other(side));
        }
        int event = side.count;
        side.record(object, site, index);
        Recorder told = recorder;
        if (told != null) {
            told.at(side, site);
        }
        total++;
        sinceSwitch++;
        if (event == side.stopEvent || side.stopPoint != null && isAtPoint(side, site)) {
            switches.add(new int[] {side.number, event});
            next(side);
        } else if (steps.changesAt(total - base)) {
            pass(side, event);
        } else if (isSpinning()) {
            unlock(side);
        }
        side.off--;
    }

    private boolean isSpinning() {
        return sinceSwitch > SPIN_HOOKS && sinceSwitch > (steps.isSerial() ? SERIAL_SPIN_HOOKS : 0);
    }

    /** A side offers the processor to other threads, as one does that waits in a loop. */
    private void yields(Side side) {
        if (turn.get() == side.number) {
            side.off++;
            sinceSwitch += YIELD_HOOKS;
            if (isSpinning()) {
                unlock(side);
            }
            side.off--;
        }
    }

    /**
     * Waits until a side that the Java machine had blocked has its monitor, and is at its next hook. So it always gets
     * the monitor before the other side can take it again.
     */
    private static void awaitArrival(Side blocked) {
        long end = System.nanoTime() + ARRIVAL;
        while (blocked.state == Side.State.BLOCKED_BY_MACHINE && System.nanoTime() < end) {
            LockSupport.parkNanos(POLL_NANOS / 2);
        }
    }

    private static boolean isAtPoint(Side side, int site) {
        if (!Sites.of(site).isAt(side.stopPoint)) {
            return false;
        }
        side.occurrence = 0;
        for (int i = 0; i < side.recorded(); i++) {
            side.occurrence += side.sites[i] == site ? 1 : 0;
        }
        return side.occurrence == side.stopPoint.occurrence;
    }

    /** A side that seems to wait in a loop lets the other one run. */
    private void unlock(Side side) {
        sinceSwitch = 0;
        isKept = false;
        if (total - base > MAX_HOOKS) {
            giveUp();
            throw new GivenUp();
        }
        pass(side, side.count);
    }

    /** Gives the turn to the other side, if that can run. The step goes on. */
    private void pass(Side side, int event) {
        Side other = other(side);
        if (canRun(other)) {
            switches.add(new int[] {side.number, event});
            sinceSwitch = 0;
            side.off++;
            grant(other);
            awaitTurn(side);
            side.off--;
        }
    }

    /** Gives the turn to a side; without one, the owner of the run looks after it. */
    private void grant(Side side) {
        if (side == null) {
            turn.set(0);
            // Another thread may have woken up a side meanwhile.
            changed(sides[1]);
            changed(sides[2]);
            LockSupport.unpark(owner);
            return;
        }
        grants.add(new int[] {side.number, side.count});
        turn.set(side.number);
        LockSupport.unpark(side.thread);
    }

    private void block(Side side, Side.State state, Object on) {
        side.on = on;
        side.state = state;
        isKept &= !isAhead(side);
        next(side);
        side.on = null;
    }

    /** Whether a side has not reached the goal of its step. */
    private boolean isAhead(Side side) {
        return step < steps.size() && step >= 0 && steps.side(step) == side.number;
    }

    private void enterMonitor(Side side, Object lock) {
        while (other(side).holds(lock)) {
            block(side, Side.State.BLOCKED, lock);
        }
        side.enter(lock);
    }

    /**
     * Waits while a thread without a schedule is busy, and a short time longer, because it may wake up the side.
     * Returns whether it has done so.
     */
    private boolean isWokenByOthers(Side side) {
        if (side.hasPermit || OtherThreads.areNone()) {
            return side.hasPermit;
        }
        side.off++;
        long patience = steps.isSerial() ? SERIAL_IDLE : IDLE;
        long begin = System.nanoTime();
        long busy = begin;
        long now = begin;
        while (!side.hasPermit && now - busy < patience && now - begin < BUSY) {
            LockSupport.parkNanos(POLL_NANOS);
            now = System.nanoTime();
            busy = OtherThreads.areIdle(false) ? busy : now;
        }
        side.off--;
        return side.hasPermit;
    }

    private boolean park(Side side, boolean isTimed) {
        if (!side.hasPermit && !side.thread.isInterrupted() && !isWokenByOthers(side)) {
            block(side, isTimed ? Side.State.PARKED_TIMED : Side.State.PARKED, null);
        }
        side.hasPermit = false;
        return true;
    }

    /**
     * Waits for a notification. The thread really waits, because only this gives up the monitor; the other side has the
     * turn meanwhile. A notified thread counts as the holder as soon as the monitor is free.
     */
    private void await(Side side, Object lock, boolean isTimed) throws InterruptedException {
        side.releaseAll(lock);
        side.isWoken = false;
        side.on = lock;
        side.state = isTimed ? Side.State.WAITING_TIMED : Side.State.WAITING;
        isKept &= !isAhead(side);
        side.off++;
        try {
            Side chosen = choose(side);
            if (chosen != side) {
                grant(chosen);
            }
            while (!side.isWoken && !isGivenUp) {
                lock.wait(isTimed ? 1 : 0);
                side.isWoken |= !isTimed;
            }
        } finally {
            side.isWoken = true;
            side.takeBack(lock);
            side.state = Side.State.RUNNING;
            turn.compareAndSet(0, side.number);
            awaitTurn(side);
            side.on = null;
            side.off--;
        }
    }

    /** A side leaves a monitor. If the other one was notified there, it has the monitor now. */
    private void leave(Side side, Object lock) {
        side.exit(lock);
        Side other = other(side);
        if (other.on == lock && !side.holds(lock)) {
            if (other.state == Side.State.BLOCKED) {
                side.releasedAt = side.count;
            } else if (other.isWoken) {
                other.takeBack(lock);
            }
        }
    }

    /** Wakes a waiting side, which then waits for the monitor. */
    private void woken(Side by, Object lock) {
        Side other = other(by);
        boolean waits = other.state == Side.State.WAITING || other.state == Side.State.WAITING_TIMED;
        if (waits && other.on == lock) {
            other.isWoken = true;
        }
    }

    /** The methods that rewritten code calls. All of them return at once in threads without a schedule. */
    public static final class Hook {
        /**
         * Is told the nanoseconds after which a thread of a whole program gives up, 0 if it has done so; null if none
         * runs.
         */
        static volatile LongConsumer timeouts;

        private Hook() {}

        private static Side me() {
            Scheduler scheduler = current;
            if (scheduler == null) {
                return null;
            }
            Thread thread = Thread.currentThread();
            Side side = scheduler.sides[1].thread == thread ? scheduler.sides[1]
                    : scheduler.sides[2].thread == thread ? scheduler.sides[2] : null;
            return side == null || side.off > 0 ? null : side;
        }

        private static void at(Object object, int site, int index) {
            Side side = me();
            if (side != null) {
                current.at(side, object, site, index);
            }
        }

        public static void read(Object object, int site) {
            at(object, site, Side.WHOLE);
        }

        public static void write(Object object, int site) {
            at(object, site, Side.WHOLE);
        }

        public static void load(Object array, int index, int site) {
            at(array, site, index);
        }

        public static void store(Object array, int index, int site) {
            at(array, site, index);
        }

        public static void whole(Object object, int site) {
            at(object, site, Side.WHOLE);
        }

        public static void arraycopy(Object from, int at, Object to, int begin, int length, int site) {
            at(from, site, Side.WHOLE);
            at(to, site, Side.WHOLE);
            System.arraycopy(from, at, to, begin, length);
        }

        /** The thread is about to offer the processor to others. */
        public static void yields() {
            Side side = me();
            if (side != null) {
                current.yields(side);
            }
        }

        /** A method of the library is about to be called that may have a monitor. */
        public static void call(int site) {
            at(null, site, Side.WHOLE);
        }

        /** A monitor is about to be entered. */
        public static void enter(Object lock, int site) {
            Side side = me();
            if (side != null && lock != null) {
                current.at(side, lock, site, Side.WHOLE);
                current.enterMonitor(side, lock);
            }
        }

        /** A synchronized method has begun. */
        public static void entered(Object lock, int site) {
            Side side = me();
            if (side != null) {
                side.enter(lock);
                current.at(side, lock, site, Side.WHOLE);
            }
        }

        /** A monitor is about to be left. */
        public static void exit(Object lock) {
            Side side = me();
            if (side != null) {
                current.leave(side, lock);
            }
        }

        public static void wait(Object lock, int site) throws InterruptedException {
            Side side = monitored(lock, site);
            if (side == null) {
                lock.wait();
            } else {
                current.await(side, lock, false);
            }
        }

        public static void wait(Object lock, long milliseconds, int site) throws InterruptedException {
            Side side = milliseconds < 0 ? null : monitored(lock, site);
            if (side == null) {
                gaveUp(milliseconds > 0);
                lock.wait(milliseconds);
            } else {
                current.await(side, lock, milliseconds > 0);
            }
        }

        public static void wait(Object lock, long milliseconds, int nanoseconds, int site) throws InterruptedException {
            wait(lock, milliseconds == 0 && nanoseconds > 0 ? 1 : milliseconds, site);
        }

        public static void notify(Object lock, int site) {
            Side side = monitored(lock, site);
            lock.notify();
            if (side != null) {
                current.woken(side, lock);
            }
        }

        public static void notifyAll(Object lock, int site) {
            Side side = monitored(lock, site);
            lock.notifyAll();
            if (side != null) {
                current.woken(side, lock);
            }
        }

        /** Returns the side that uses the monitor of an object that it holds. */
        private static Side monitored(Object lock, int site) {
            Side side = me();
            if (side == null || lock == null || !Thread.holdsLock(lock)) {
                return null;
            }
            current.at(side, lock, site, Side.WHOLE);
            return side;
        }

        /** Returns whether the scheduler has parked the thread. */
        public static boolean park() {
            Side side = me();
            return side != null && current.park(side, false);
        }

        public static boolean parkNanos(long nanoseconds) {
            if (nanoseconds <= 0) {
                return false;
            }
            Side side = me();
            if (side != null) {
                return current.park(side, true);
            }
            gaveUp(true);
            timed(nanoseconds);
            return false;
        }

        public static boolean parkUntil(long milliseconds) {
            return parkNanos(1);
        }

        public static void unpark(Object thread) {
            Scheduler scheduler = current;
            if (scheduler != null && isOfRun(scheduler)) {
                permit(scheduler, thread);
            }
        }

        public static void interrupted(Object thread) {
            if (current != null) {
                permit(current, thread);
            }
        }

        private static void permit(Scheduler scheduler, Object thread) {
            for (int i = 1; i <= 2; i++) {
                Side side = scheduler.sides[i];
                if (side.thread == thread && thread != null) {
                    side.hasPermit = true;
                    scheduler.changed(side);
                }
            }
        }

        public static void tried(int result) {
            tried(result != 0);
        }

        public static void tried(long result) {
            tried(result != 0);
        }

        public static void tried(Object result) {
            tried(result != null);
        }

        private static void tried(boolean hasResult) {
            if (!hasResult) {
                gaveUp(true);
                timed(0);
            }
        }

        private static void timed(long nanoseconds) {
            LongConsumer program = timeouts;
            if (program != null) {
                program.accept(nanoseconds);
            }
        }

        private static void gaveUp(boolean has) {
            Scheduler scheduler = current;
            if (has && scheduler != null && isOfRun(scheduler)) {
                scheduler.hasDepended = true;
            }
        }

        /** Whether the thread executes code of the client: a side, or another thread. */
        private static boolean isOfRun(Scheduler scheduler) {
            Thread thread = Thread.currentThread();
            boolean isSide = scheduler.sides[1].thread == thread || scheduler.sides[2].thread == thread;
            return isSide ? me() != null : thread != scheduler.owner && thread != watcher;
        }

        /** The Java machine is about to execute code of its own. */
        public static void off() {
            count(1);
        }

        /** Adds to the number that tells whether hooks have an effect in this thread. */
        private static void count(int change) {
            Scheduler scheduler = current;
            for (int i = 1; scheduler != null && i <= 2; i++) {
                if (scheduler.sides[i].thread == Thread.currentThread()) {
                    scheduler.sides[i].off += change;
                }
            }
        }

        public static void on() {
            count(-1);
        }

        public static void guard(Object argument, int mode, int row) {
            count(1);
            Guards.check(argument, mode, row);
            count(-1);
        }
    }
}
