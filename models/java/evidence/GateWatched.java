package evidence;

/** As Gate, but it is no test. */
public class GateWatched {
    private volatile int passed;

    public void pass(int people) {
        passed = people;
    }

    public static class Watch {
        public static boolean look(GateWatched gate) {
            return gate.passed > 1 && gate.passed < 9;
        }
    }
}
