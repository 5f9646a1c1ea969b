package asercheck.confirm;

import java.lang.management.ManagementFactory;

/**
 * The time that a thread has used: that of the processor, and that in which it waited. Unlike the time of day it hardly
 * depends on other work of the machine, so that a limit has the same effect on a busy one.
 */
final class ThreadTime {
    private static final long POLL = 5;
    /** The number of consecutive looks at which no thread can do anything, before one that waits counts as endless. */
    private static final int MAX_STUCK = 20;
    /** The largest part of a wait between two looks that counts. On a busy machine a look comes later. */
    private static final long MAX_WAIT = 20_000_000;

    private final Thread thread;
    private long waited;
    private long before = System.nanoTime();
    private int stuck;

    ThreadTime(Thread thread) {
        this.thread = thread;
    }

    /**
     * Waits for the end of the thread. Returns whether it came before so many nanoseconds of its time were over, and
     * before so many of the time of day. A thread that waits while no other one can do anything has no end, so that the
     * time need not be over.
     */
    boolean isWithin(long limit, long last) throws InterruptedException {
        long begin = before;
        while (thread.isAlive()) {
            thread.join(POLL);
            long now = System.nanoTime();
            Thread.State state = thread.getState();
            boolean waits = state != Thread.State.RUNNABLE && state != Thread.State.NEW;
            waited += waits ? Math.min(now - before, MAX_WAIT) : 0;
            before = now;
            stuck = state == Thread.State.WAITING && OtherThreads.doAllWait() ? stuck + 1 : 0;
            if (waited + processor() > limit || now - begin > last || stuck > MAX_STUCK) {
                return false;
            }
        }
        return true;
    }

    /** Returns the nanoseconds of the processor. */
    private long processor() {
        return Math.max(0, ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId()));
    }
}
