package asercheck.confirm;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The tests of some archives and folders, and their runs, which give moments for clients. */
final class TestScan {
    /** The time for which a test may compute and wait. */
    private static final long LIMIT = 1_000_000_000;
    /** The time of day after which a test is given up in any case. */
    private static final long LAST = 20_000_000_000L;
    private static final long END_PATIENCE = 300;
    /** The number of threads at which the Java machine should be replaced. */
    private static final int MAX_THREADS = 100;

    private final Types types;
    private final Set<String> subjects;
    /** The tests that can run, by the rank of their classes. */
    private final Map<Integer, List<String>> ids = new TreeMap<>();
    private final List<String> leftOut = new ArrayList<>();

    TestScan(Types types, Set<String> subjects) {
        this.types = types;
        this.subjects = subjects;
    }

    /**
     * Finds the tests. Returns {@code tests}, the number of tests that can run, these, and the reason of each one that
     * cannot. Tests of classes that name subjects come first, then those in their packages.
     */
    List<String> find(List<File> from) {
        Set<String> names = new java.util.TreeSet<>();
        from.forEach(file -> names.addAll(Types.names(file)));
        Map<String, Integer> ranks = ranks(names);
        Set<String> tops = new HashSet<>();
        for (String name : names) {
            try {
                Class<?> type = types.load(name);
                if (!type.isInterface() && !Modifier.isAbstract(type.getModifiers()) && !type.isAnonymousClass()
                        && !type.isLocalClass()) {
                    add(type, ranks.get(TestCode.top(name)), tops);
                }
            } catch (CreationException | LinkageError | TypeNotPresentException | ArrayStoreException missing) {
                // Not each class is a test, but this one may be.
                if (TestMoment.simple(name).matches("Test.*|.*Test|.*TestCase")) {
                    leftOut.add("classes that are missing");
                }
            }
        }
        types.watch(new TestCode(subjects, tops));
        List<String> answer = new ArrayList<>(Arrays.asList("tests", ""));
        ids.values().forEach(answer::addAll);
        answer.set(1, String.valueOf(answer.size() - 2));
        answer.addAll(leftOut);
        return answer;
    }

    private void add(Class<?> type, int rank, Set<String> tops) {
        List<Method> tests = JUnit.tests(type);
        String whyNot = tests.isEmpty() ? null : JUnit.whyNot(type);
        for (Method test : tests) {
            String why = whyNot == null ? JUnit.whyNot(test) : whyNot;
            if (why != null) {
                leftOut.add(why);
                continue;
            }
            tops.addAll(TestCase.tops(type));
            for (int number = 0; number < TestArguments.runs(type, test); number++) {
                String id = new TestCase(type.getName(), test.getName(), number).id();
                ids.computeIfAbsent(rank, any -> new ArrayList<>()).add(id);
            }
        }
        if (JUnit.hasDynamic(type)) {
            leftOut.add("tests that are made at run time");
        }
    }

    /** Returns 0 for top-level classes that name a subject, 1 for those in a package of one, else 2. */
    private Map<String, Integer> ranks(Set<String> names) {
        Map<String, Integer> ranks = new TreeMap<>();
        Set<String> packages = new HashSet<>();
        subjects.forEach(subject -> packages.add(subject.substring(0, subject.lastIndexOf('.') + 1)));
        for (String name : names) {
            int rank = packages.contains(name.substring(0, name.lastIndexOf('.') + 1)) ? 1 : 2;
            try (InputStream file = types.file(name.replace('.', '/') + ".class")) {
                for (String type : new ConstantPool(file.readAllBytes()).types()) {
                    rank = subjects.contains(type.replace('/', '.')) ? 0 : rank;
                }
            } catch (IOException | RuntimeException damaged) {
                rank = 2;
            }
            ranks.merge(TestCode.top(name), rank, Math::min);
        }
        return ranks;
    }

    /**
     * Runs a test. Returns {@code test}, the reason why it gives no clients or nothing, whether the Java machine should
     * be replaced, and the lines of its moments.
     */
    List<String> run(String id) throws InterruptedException {
        TestRun run = TestRun.begin(TestCase.parse(id), types.fresh());
        boolean isInTime = new ThreadTime(run.thread()).isWithin(LIMIT, LAST);
        String why = !isInTime ? "more than a second" : run.refused != null ? "would " + run.refused : null;
        Throwable thrown = run.thrown();
        if (why == null && thrown instanceof TestCase.NoArguments) {
            why = "none";
        } else if (why == null && run.moments.isEmpty() && thrown != null) {
            why = reason(thrown);
        }
        TestRun.end();
        run.thread().join(END_PATIENCE);
        boolean isWorn = run.thread().isAlive() || OtherThreads.count() > MAX_THREADS;
        List<String> answer = new ArrayList<>(Arrays.asList("test", why == null ? "" : why, isWorn ? "1" : "0"));
        if (why == null) {
            run.moments.forEach(moment -> answer.add(moment.line()));
        }
        return answer;
    }

    private static String reason(Throwable thrown) {
        String name = TestMoment.simple(thrown.getClass().getName());
        boolean isSkipped = name.equals("TestAbortedException") || name.equals("AssumptionViolatedException");
        boolean isMissing = thrown instanceof LinkageError || thrown instanceof ClassNotFoundException;
        return isSkipped ? "disabled" : isMissing ? "classes that are missing" : "throws " + name;
    }
}
