package asercheck.confirm;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Runs a client that is a class: first in all serial orders, then by a schedule. Ends with code 1 if the outcome of the
 * schedule differs from every serial order, otherwise with code 0, and with code 2 if the client cannot run.
 */
final class AsercheckSupport {
    /** The number of further runs of each serial order; the last one has pauses. */
    private static final int SERIAL_RUNS = 5;
    private static final String PATIENCE = "2000";

    private final Runner runner;
    private List<Map<String, String>> orders = new ArrayList<>();

    private AsercheckSupport(Runner runner) {
        this.runner = runner;
    }

    /**
     * Arguments: the folder of this file, the class of the client, the steps of the schedule, {@code --}, classes to
     * load.
     */
    public static void main(String[] given) throws Exception {
        List<String> all = Arrays.asList(given);
        int end = all.indexOf("--");
        Path classes = Files.createTempDirectory("reproduce");
        try {
            String classPath = System.getProperty("java.class.path");
            compile(Path.of(all.get(0)), all.get(1), classes, classPath);
            if (all.get(2).equals("stress")) {
                System.exit(stress(classes, all.get(1)));
            }
            String path = classes + File.pathSeparator + absolute(classPath);
            List<String> command = new ArrayList<>(Arrays.asList("-Dasercheck.path=" + path, "-cp", path,
                    CompiledClientTarget.class.getName(), all.get(1)));
            command.addAll(all.subList(end + 1, all.size()));
            System.exit(run(classes, command, all.subList(2, end)));
        } finally {
            remove(classes);
        }
    }

    /** Runs the calls at the same time, without stopping threads. */
    private static int stress(Path classes, String name) throws Exception {
        java.net.URL[] urls = {classes.toUri().toURL()};
        // The support classes come from the same folder as the client, so that both are in the same package.
        try (java.net.URLClassLoader loader = new java.net.URLClassLoader(urls, AsercheckSupport.class.getClassLoader())) {
            Stress stress = new Stress(Class.forName(name, true, loader));
            Map<String, String> outcome = stress.run();
            if (outcome == null) {
                System.out.println("not reproduced: every outcome is that of a serial order");
                return 0;
            }
            AsercheckSupport support = new AsercheckSupport(null);
            support.orders = stress.orders();
            support.print(outcome);
            return 1;
        }
    }

    private static String absolute(String classPath) {
        List<String> path = new ArrayList<>();
        for (String one : classPath.split(File.pathSeparator)) {
            path.add(new File(one).getAbsolutePath());
        }
        return String.join(File.pathSeparator, path);
    }

    private static void compile(Path folder, String client, Path classes, String path) {
        String simple = client.substring(client.lastIndexOf('.') + 1);
        int code = ToolProvider.getSystemJavaCompiler().run(null, null, null, "-nowarn", "-proc:none", "-Xlint:none", "-encoding",
                "UTF-8", "-d", classes.toString(), "-cp", path, folder.resolve("AsercheckSupport.java").toString(),
                folder.resolve(simple + ".java").toString());
        if (code != 0) {
            System.exit(2);
        }
    }

    private static int run(Path folder, List<String> command, List<String> steps) throws Exception {
        List<String> options = Arrays.asList("-Xmx256m", "-XX:TieredStopAtLevel=1");
        Machine machine = new Machine(folder.toFile(), options, command);
        try {
            Runner runner = new Runner(machine, folder.toFile());
            String ready = runner.started();
            if (!ready.startsWith("ready")) {
                System.err.println("cannot run the client: " + ready);
                return 2;
            }
            return new AsercheckSupport(runner).judge(steps);
        } finally {
            machine.kill();
        }
    }

    /** Returns the exit code. */
    private int judge(List<String> steps) throws InterruptedException {
        String first = run("serial", Arrays.asList("1 end", "2 end"));
        int calls = 0;
        Map<String, String> example = entries(first);
        while (example.containsKey("thread 2." + calls)) {
            calls++;
        }
        for (int before = 0; before <= calls; before++) {
            orders.add(serial(before, calls, steps));
        }
        Map<String, String> outcome = entries(run("forced", steps));
        if (orders.stream().allMatch(order -> differs(order, outcome))) {
            print(outcome);
            return 1;
        }
        System.out.println("not reproduced: the outcome is that of a serial order");
        return 0;
    }

    private String run(String mode, List<String> steps) throws InterruptedException {
        String[] texts = steps.toArray(new String[0]);
        return runner.run(mode, Long.parseLong(PATIENCE), Step.of(texts, 0));
    }

    /**
     * Returns the entries that are equal in all runs of a serial order; one run pauses at the stops of the schedule.
     */
    private Map<String, String> serial(int before, int calls, List<String> steps) throws InterruptedException {
        List<String> order = before == 0 ? Arrays.asList("1 end", "2 end")
                : before == calls ? Arrays.asList("2 end", "1 end")
                : Arrays.asList("2 call " + before, "1 end", "2 end");
        Map<String, String> same = entries(run("serial", order));
        for (int i = 0; i < SERIAL_RUNS; i++) {
            Map<String, String> other = entries(run("serial", i < SERIAL_RUNS - 1 ? order : withPauses(order, steps)));
            same.entrySet().removeIf(entry -> !entry.getValue().equals(other.get(entry.getKey())));
        }
        return same;
    }

    /** Returns the serial order with pauses at the stops of the schedule. */
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

    /** Whether an outcome differs from the entries of a serial order. */
    static boolean differs(Map<String, String> order, Map<String, String> outcome) {
        return order.entrySet().stream().anyMatch(entry -> !entry.getValue().equals(outcome.get(entry.getKey())));
    }

    private static Map<String, String> entries(String answer) {
        String[] fields = Lines.split(answer);
        Map<String, String> entries = new LinkedHashMap<>();
        if (!Arrays.asList("kept", "changed", "depends", "blocked").contains(fields[0])) {
            throw new IllegalStateException("the client does not run: " + answer);
        }
        for (int i = 1; i + 1 < fields.length; i += 2) {
            entries.put(fields[i], fields[i + 1]);
        }
        return entries;
    }

    private void print(Map<String, String> outcome) {
        System.out.println("not atomic: no serial order has this outcome");
        outcome.forEach((name, text) -> {
            List<String> serial = new ArrayList<>();
            for (Map<String, String> order : orders) {
                String known = order.get(name);
                if (known != null && !serial.contains(known)) {
                    serial.add(known);
                }
            }
            if (!serial.isEmpty() && (!serial.contains(text) || serial.size() > 1)) {
                System.out.println("  " + name + ": " + text + "; in serial orders: " + String.join(" or ", serial));
            }
        });
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        }
    }
}
