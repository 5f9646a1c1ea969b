package asercheck.confirm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TimeZone;
import java.util.concurrent.ForkJoinPool;

/**
 * A run of a test on a thread of its own, in which the objects of subjects are seen. It ends with the test, or is
 * stopped at a moment.
 *
 * <p>A <em>moment</em> is a call that the code of the test is about to make, on the thread of the test, while no other
 * code runs but that of the Java machine and of JUnit. So no operation on an object is under way, and all of the
 * object's state comes from calls that are complete. Objects and moments are numbered, for each subject, in the order
 * of the test. Objects that the initialization of a class makes have no number, because a class may be initialized
 * before.
 *
 * <p>A thread that is stopped waits, because the end of its methods could change the object: {@code finally} and {@code
 * try} with resources close it. It ends after the run of the client ({@link #end}): each further hook throws {@link
 * Stopped}.
 *
 * <p>A moment at which other threads of the test live gives no object: those of its group, and busy ones of the common
 * pool. So nothing changes the object but the client.
 */
final class TestRun {
    /** The name of the thread. */
    static final String THREAD = "stopped test";
    /** The largest number of objects of a subject that get numbers. */
    private static final int MAX_OBJECTS = 20;
    /** The largest number of moments of a subject. */
    private static final int MAX_MOMENTS = 100;
    private static final long END_PATIENCE = 200;
    private static final int MAX_LEFT = 3;
    /** The nanoseconds after which a test that does not come to its call is given up. It was quick before. */
    private static final long LAST = 10_000_000_000L;
    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private static volatile TestRun last;
    /** The number of threads that did not end. */
    private static volatile int left;

    private final TestCase test;
    private final ClassLoader loader;
    /** The moment at which the test is stopped; null if it runs to its end. */
    private final TestMoment wanted;
    /** The moments so far; those of a test that runs to its end. */
    final List<TestMoment> moments = new ArrayList<>();
    private final Map<String, Seen> seen = new HashMap<>();
    private final Properties properties = (Properties) System.getProperties().clone();
    private final Locale locale = Locale.getDefault();
    private final TimeZone zone = TimeZone.getDefault();
    private final Runner thread;
    private Object receiver;
    private final List<Object> arguments = new ArrayList<>();
    /** The object and the arguments at the moment. */
    private volatile Object[] found;
    /** The exception with which the test ended; null if it did not end so. */
    private volatile Throwable thrown;
    /** The effect outside of the target that the test wanted; null if there was none. */
    volatile String refused;
    private volatile boolean hasEnded;
    private volatile boolean isOver;

    private TestRun(TestCase test, TestMoment wanted, ClassLoader loader) {
        this.test = test;
        this.wanted = wanted;
        this.loader = loader;
        thread = new Runner(this);
        thread.setDaemon(true);
        thread.setContextClassLoader(loader);
    }

    /** The objects of a subject. */
    private static final class Seen {
        final List<Object> objects = new ArrayList<>();
        int moments;

        /** Returns the number of an object, from 1; 0 if it has none. */
        int number(Object object) {
            for (int i = 0; object != null && i < objects.size(); i++) {
                if (objects.get(i) == object) {
                    return i + 1;
                }
            }
            return 0;
        }
    }

    /** Ends the thread of a test. */
    static final class Stopped extends Error {
        private static final long serialVersionUID = 1;

        Stopped(String why) {
            super(why, null, false, false);
        }
    }

    /** The thread of a test, with a group for the threads that it starts. */
    private static final class Runner extends Thread {
        final TestRun run;

        Runner(TestRun run) {
            super(new ThreadGroup(THREAD), THREAD);
            this.run = run;
        }

        @Override
        public void run() {
            run.execute();
        }
    }

    /** Begins a run to the end of a test, which records moments. */
    static TestRun begin(TestCase test, ClassLoader loader) {
        TestRun run = new TestRun(test, null, loader);
        last = run;
        run.thread.start();
        return run;
    }

    /** Runs a test up to a moment. Returns the object, then the arguments of the call that the test would make. */
    static Object[] upTo(TestMoment moment, ClassLoader loader) throws Exception {
        end();
        TestRun run = new TestRun(moment.test, moment, loader);
        last = run;
        run.thread.start();
        synchronized (run) {
            long end = System.nanoTime() + LAST;
            while (run.found == null && !run.hasEnded && System.nanoTime() < end) {
                run.wait(LAST / 1_000_000);
            }
        }
        if (run.found == null) {
            String why = run.thrown == null ? "" : ": " + new ValuePrinter().threw(run.thrown);
            throw new CreationException("the test " + moment.test + " does not come to its call" + why);
        }
        return run.found;
    }

    /** For compiled clients: the same, with the parts of the moment. */
    static Object[] upTo(ClassLoader loader, String test, String type, int number, int call) throws Exception {
        return upTo(new TestMoment(TestCase.parse(test), type, number, call), loader);
    }

    /** Ends the last run. */
    static void end() throws InterruptedException {
        TestRun run = last;
        if (run == null) {
            return;
        }
        last = null;
        synchronized (run) {
            run.isOver = true;
            run.notifyAll();
        }
        run.thread.join(END_PATIENCE);
        if (run.thread.isAlive()) {
            run.thread.interrupt();
            left++;
        }
        if (!System.getProperties().equals(run.properties)) {
            System.setProperties(run.properties);
        }
        Locale.setDefault(run.locale);
        TimeZone.setDefault(run.zone);
    }

    /** Whether so many threads did not end that the Java machine should be replaced. */
    static boolean areTooManyLeft() {
        return left > MAX_LEFT;
    }

    private void execute() {
        try {
            test.execute(loader, wanted == null);
        } catch (Stopped stopped) {
            thrown = null;
        } catch (Throwable other) {
            thrown = other;
        } finally {
            synchronized (this) {
                hasEnded = true;
                notifyAll();
            }
        }
    }

    Thread thread() {
        return thread;
    }

    /** Returns the exception with which the test ended; null if it did not end so. */
    Throwable thrown() {
        return thrown;
    }

    /** Returns the run of this thread; null if it is not that of a test. */
    private static TestRun mine() {
        Thread thread = Thread.currentThread();
        return thread instanceof Runner ? ((Runner) thread).run : null;
    }

    /** Ends the thread if it is that of a test which is about to reach outside of the target. */
    static void refuse(String effect) {
        TestRun run = mine();
        if (run != null) {
            run.refused = effect;
            throw new Stopped("it would " + effect);
        }
    }

    private void made(Object object, int site) {
        Seen all = seen.computeIfAbsent(Sites.of(site).type, any -> new Seen());
        boolean isNew = all.objects.size() < MAX_OBJECTS && all.number(object) == 0;
        if (isNew && STACK.walk(frames -> frames.noneMatch(frame -> frame.getMethodName().equals("<clinit>")))) {
            all.objects.add(object);
        }
    }

    /** The test is about to make a call. */
    private void use(int site) {
        Object on = receiver;
        Object[] given = arguments.toArray();
        receiver = null;
        arguments.clear();
        if (isOver) {
            throw new Stopped("it is over");
        }
        Boolean isClean = null;
        for (Map.Entry<String, Seen> entry : seen.entrySet()) {
            Seen all = entry.getValue();
            boolean isOfJava = Sites.of(site).target.startsWith("java.") || Sites.of(site).target.startsWith("javax.");
            boolean counts = all.moments < MAX_MOMENTS && !all.objects.isEmpty()
                    && (!isOfJava || all.number(on) > 0);
            if (counts && isClean == null) {
                isClean = isClean();
            }
            if (counts && isClean) {
                all.moments++;
                at(entry.getKey(), all, Sites.of(site), on, given);
            }
        }
    }

    /** Whether no code runs but that of the test, of JUnit and of the Java machine, and no other thread of the test. */
    private boolean isClean() {
        return STACK.walk(frames -> frames.allMatch(frame -> isClean(frame.getDeclaringClass())));
    }

    private boolean isClean(Class<?> type) {
        ClassLoader own = type.getClassLoader();
        return own == null || own == ClassLoader.getPlatformClassLoader() || own == TestRun.class.getClassLoader()
                || TestCode.isOfFramework(type.getName()) || test.isOfTest(type);
    }

    private void at(String type, Seen all, Sites.Site site, Object on, Object[] given) {
        boolean isAlone = isAlone();
        if (wanted == null) {
            for (int number = 1; isAlone && number <= all.objects.size(); number++) {
                TestMoment.Role role = role(all, number, on, given);
                add(new TestMoment(test, type, number, all.moments).described(site, role, given));
            }
        } else if (wanted.type.equals(type) && wanted.call == all.moments) {
            stop(isAlone && wanted.number <= all.objects.size() ? all.objects.get(wanted.number - 1) : null, given);
        }
    }

    /** Whether no other thread of the test lives, and none works in the pool that all tests of the target share. */
    private boolean isAlone() {
        return thread.getThreadGroup().activeCount() <= 1 && ForkJoinPool.commonPool().isQuiescent();
    }

    private static TestMoment.Role role(Seen all, int number, Object on, Object[] given) {
        if (all.number(on) == number) {
            return TestMoment.Role.RECEIVER;
        }
        for (Object one : given) {
            if (all.number(one) == number) {
                return TestMoment.Role.ARGUMENT;
            }
        }
        return TestMoment.Role.BESIDE;
    }

    /** Keeps a moment, unless the test has enough like it. */
    private void add(TestMoment moment) {
        int same = 0;
        for (TestMoment other : moments) {
            same += other.isLike(moment) ? 1 : 0;
        }
        if (same < moment.role.most) {
            moments.add(moment);
        }
    }

    /** Gives the object to the client, and waits for the end of its run. */
    private void stop(Object object, Object[] given) {
        if (object == null) {
            throw new IllegalStateException("another thread of the test lives");
        }
        Object[] all = new Object[given.length + 1];
        all[0] = object;
        System.arraycopy(given, 0, all, 1, given.length);
        synchronized (this) {
            found = all;
            notifyAll();
            while (!isOver) {
                try {
                    wait();
                } catch (InterruptedException interrupted) {
                    break;
                }
            }
        }
        isOver = true;
        throw new Stopped("it is over");
    }

    /** The methods that rewritten code calls. They return at once in threads that run no test. */
    public static final class Hook {
        private Hook() {}

        /** The constructor of a subject has ended. */
        public static void made(Object object, int site) {
            TestRun run = mine();
            if (run != null && !run.isOver) {
                run.made(object, site);
            }
        }

        public static void receiver(Object object) {
            TestRun run = mine();
            if (run != null) {
                run.receiver = object;
            }
        }

        public static void argument(Object value) {
            TestRun run = mine();
            if (run != null) {
                run.arguments.add(value);
            }
        }

        public static void argument(boolean value) {
            argument((Object) value);
        }

        public static void argument(char value) {
            argument((Object) value);
        }

        public static void argument(byte value) {
            argument((Object) value);
        }

        public static void argument(short value) {
            argument((Object) value);
        }

        public static void argument(int value) {
            argument((Object) value);
        }

        public static void argument(long value) {
            argument((Object) value);
        }

        public static void argument(float value) {
            argument((Object) value);
        }

        public static void argument(double value) {
            argument((Object) value);
        }

        /** The call follows. */
        public static void use(int site) {
            TestRun run = mine();
            if (run != null) {
                run.use(site);
            }
        }
    }
}
