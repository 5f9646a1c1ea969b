package evidence;

/** Only a test looks twice. */
public class Gate {
    private volatile int passed;

    public void pass(int people) {
        passed = people;
    }

    public static class UnitTest {
        public static boolean look(Gate gate) {
            return gate.passed > 1 && gate.passed < 9;
        }
    }
}
