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
 * Runs a client that was written as a class: first in all serial orders, then in one that is forced. It ends with code 1 if
 * what the client can tell then is what it can tell in no serial order, else with code 0.
 */
final class AsercheckSupport {
    private static final int SERIAL = 5;
    private static final String PATIENCE = "2000";

    private final Runner runner;
    private List<Map<String, String>> orders = new ArrayList<>();

    private AsercheckSupport(Runner runner) {
        this.runner = runner;
    }

    /** Gets the folder of this file, the name of the client, its schedule, step by step, and classes to load, behind {@code --}. */
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
            String path = classes + File.pathSeparator + whole(classPath);
            List<String> command = new ArrayList<>(Arrays.asList("-Dasercheck.path=" + path, "-cp", path,
                    ReproducedTarget.class.getName(), all.get(1)));
            command.addAll(all.subList(end + 1, all.size()));
            System.exit(run(classes, command, all.subList(2, end)));
        } finally {
            remove(classes);
        }
    }

    /** The same without stopping anybody. */
    private static int stress(Path classes, String name) throws Exception {
        java.net.URL[] urls = {classes.toUri().toURL()};
        // The parts of this file are those that were compiled beside the client, so that packages are the same.
        try (java.net.URLClassLoader loader = new java.net.URLClassLoader(urls, AsercheckSupport.class.getClassLoader())) {
            Stress stress = new Stress(Class.forName(name, true, loader));
            Map<String, String> seen = stress.run();
            if (seen == null) {
                System.out.println("nothing was seen but what serial orders give: not reproduced");
                return 0;
            }
            AsercheckSupport told = new AsercheckSupport(null);
            told.orders = stress.orders();
            told.tell(seen);
            return 1;
        }
    }

    private static String whole(String classPath) {
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
        Map<String, String> seen = entries(run("forced", steps));
        if (orders.stream().allMatch(order -> differs(order, seen))) {
            tell(seen);
            return 1;
        }
        System.out.println("what was seen is what a serial order gives: not reproduced");
        return 0;
    }

    private String run(String how, List<String> steps) throws InterruptedException {
        String[] texts = steps.toArray(new String[0]);
        return runner.run(how, Long.parseLong(PATIENCE), Step.of(texts, 0));
    }

    /** What is the same in all runs of a serial order, some with stops where the schedule has them. */
    private Map<String, String> serial(int before, int calls, List<String> steps) throws InterruptedException {
        List<String> order = before == 0 ? Arrays.asList("1 end", "2 end")
                : before == calls ? Arrays.asList("2 end", "1 end")
                : Arrays.asList("2 call " + before, "1 end", "2 end");
        Map<String, String> same = entries(run("serial", order));
        for (int i = 0; i < SERIAL; i++) {
            Map<String, String> other = entries(run("serial", i < SERIAL - 1 ? order : paused(order, steps)));
            same.entrySet().removeIf(entry -> !entry.getValue().equals(other.get(entry.getKey())));
        }
        return same;
    }

    private static List<String> paused(List<String> order, List<String> steps) {
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

    static boolean differs(Map<String, String> order, Map<String, String> seen) {
        return order.entrySet().stream().anyMatch(entry -> !entry.getValue().equals(seen.get(entry.getKey())));
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

    private void tell(Map<String, String> seen) {
        System.out.println("not atomic: this comes in no serial order");
        seen.forEach((what, text) -> {
            List<String> serial = new ArrayList<>();
            for (Map<String, String> order : orders) {
                String known = order.get(what);
                if (known != null && !serial.contains(known)) {
                    serial.add(known);
                }
            }
            if (!serial.isEmpty() && (!serial.contains(text) || serial.size() > 1)) {
                System.out.println("  " + what + ": " + text + "; in serial orders: " + String.join(" or ", serial));
            }
        });
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        }
    }
}
