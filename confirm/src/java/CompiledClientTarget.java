package asercheck.confirm;

import java.io.File;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The Java machine of a client that is a compiled class. Runs it in all serial orders, then by the schedule. Ends with
 * code 1 if the outcome of the schedule differs from every serial order, otherwise with code 0, and with code 2 if the
 * client cannot run.
 */
final class CompiledClientTarget {
    /** The number of runs of each serial order; the last one has pauses. */
    private static final int SERIAL_RUNS = 6;
    private static final long PATIENCE = 2000;

    private final Types types;
    private final String client;
    private final List<String> loaded;
    private final Scheduler scheduler = new Scheduler();
    /** The loader of the last run. */
    private ClassLoader loader;

    private CompiledClientTarget(Types types, String client, List<String> loaded) {
        this.types = types;
        this.client = client;
        this.loaded = loaded;
    }

    /**
     * Arguments: the class path, the class, the steps of the schedule, {@code --}, classes to load; for an object of a
     * test {@code --} again, the class of the object, and that of the test.
     */
    public static void main(String[] given) throws Exception {
        List<String> all = Arrays.asList(given);
        int end = all.indexOf("--");
        List<File> path = new ArrayList<>();
        for (String one : all.get(0).split(File.pathSeparator)) {
            path.add(new File(one));
        }
        PrintStream out = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        Rewriting.begin();
        Guards.begin(new File("."), (effect, method) -> {
            System.err.println("the client would " + effect);
            exit(2);
        });
        int tests = all.lastIndexOf("--");
        Types types = new Types(path);
        if (tests > end) {
            types.watch(tested(all.subList(tests + 1, all.size()), types));
        }
        List<String> loaded = all.subList(end + 1, tests > end ? tests : all.size());
        CompiledClientTarget target = new CompiledClientTarget(types, all.get(1), loaded);
        exit(target.judge(all.subList(2, end), out));
    }

    /** Returns the classes with hooks of a test: its subject and its code. */
    private static TestCode tested(List<String> names, Types types) {
        return new TestCode(java.util.Set.of(names.get(0)), TestCase.tops(names.get(1), types));
    }

    private static void exit(int code) {
        Guards.end();
        Runtime.getRuntime().halt(code);
    }

    private RunnableClient client() throws ReflectiveOperationException {
        loader = types.fresh();
        for (String name : loaded) {
            Class.forName(name, true, loader);
        }
        RunnableClient made = new CompiledClient(Class.forName(client, true, loader));
        types.rewriteLibrary();
        return made;
    }

    private Map<String, String> run(List<String> steps) throws Exception {
        RunnableClient made = client();
        Map<String, String> outcome = new Attempt(made, scheduler, PATIENCE).run(loader, Steps.of(steps));
        if (outcome.containsKey("failed")) {
            System.err.println("cannot run the client: " + outcome.get("failed"));
            exit(2);
        }
        return outcome;
    }

    /** Returns the exit code. */
    private int judge(List<String> steps, PrintStream out) throws Exception {
        int calls = client().calls(2);
        SerialOrders orders = new SerialOrders(calls + 1);
        for (int before = 0; before <= calls; before++) {
            for (int i = 1; i <= SERIAL_RUNS; i++) {
                List<String> order = SerialOrders.texts(before, calls);
                orders.add(before, run(i < SERIAL_RUNS ? order : withPauses(order, steps)));
            }
        }
        Map<String, String> outcome = run(steps);
        if (!orders.excludes(outcome)) {
            out.println("not reproduced: the outcome is that of a serial order");
            return 0;
        }
        print(out, orders, outcome);
        return 1;
    }

    /** Returns a serial order with pauses at the stops of a schedule. */
    private static List<String> withPauses(List<String> order, List<String> steps) {
        List<String> all = new ArrayList<>();
        for (String step : order) {
            for (String other : steps) {
                if (other.charAt(0) == step.charAt(0) && other.startsWith("at", 2) && step.endsWith("end")) {
                    all.add(other);
                    all.add("pause 40");
                }
            }
            all.add(step);
            all.add("pause 20");
        }
        return all;
    }

    /** Prints the entries of an outcome that no serial order has, or that differ between serial orders. */
    static void print(PrintStream out, SerialOrders orders, Map<String, String> outcome) {
        out.println("not atomic: no serial order has this outcome");
        new LinkedHashMap<>(outcome).forEach((name, text) -> {
            List<String> serial = orders.texts(name, text);
            if (!serial.isEmpty() && (!serial.contains(text) || serial.size() > 1)) {
                out.println("  " + name + ": " + text + "; in serial orders: " + String.join(" or ", serial));
            }
        });
    }
}
