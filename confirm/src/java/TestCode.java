package asercheck.confirm;

import java.util.Set;

/**
 * The classes that get hooks because of tests: those whose objects are seen, and those with the code of tests. The code
 * of a test is that of its class, of the classes above it, and of all classes within these.
 */
final class TestCode {
    static final TestCode NONE = new TestCode(Set.of(), Set.of());

    /** The names of the classes whose objects are seen. */
    private final Set<String> subjects;
    /** The names of the top-level classes of test code. */
    private final Set<String> tops;

    TestCode(Set<String> subjects, Set<String> tops) {
        this.subjects = subjects;
        this.tops = tops;
    }

    /** Whether objects of a class are seen. */
    boolean isSubject(String name) {
        return subjects.contains(name.replace('/', '.'));
    }

    /** Whether a class has code of a test. */
    boolean isTest(String name) {
        return !tops.isEmpty() && tops.contains(top(name.replace('/', '.')));
    }

    /** Whether a class is of JUnit, and no subject is; so it needs no hooks. */
    boolean isLeft(String name) {
        return isOfFramework(name) && !subjects.isEmpty() && subjects.stream().noneMatch(TestCode::isOfFramework);
    }

    /** Returns the name of the top-level class in which a class is. */
    static String top(String name) {
        int inner = name.indexOf('$', name.lastIndexOf('.') + 2);
        return inner < 0 ? name : name.substring(0, inner);
    }

    /** Whether a class is of JUnit. */
    static boolean isOfFramework(String name) {
        String dotted = name.replace('/', '.');
        return dotted.startsWith("org.junit.") || dotted.startsWith("junit.") || dotted.startsWith("org.opentest4j.")
                || dotted.startsWith("org.hamcrest.");
    }
}
