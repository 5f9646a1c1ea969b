package asercheck.confirm;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Runs a client that is a class, in a Java machine whose threads follow a schedule ({@link CompiledClientTarget}). The
 * classes of this file become an agent of that machine, which adds calls of the scheduler to the client's classes.
 */
final class AsercheckSupport {
    private AsercheckSupport() {}

    /**
     * Arguments: the folder of this file, the class of the client, the steps of the schedule, {@code --}, classes to
     * load.
     */
    public static void main(String[] given) throws Exception {
        List<String> all = Arrays.asList(given);
        Path folder = Files.createTempDirectory("reproduce");
        int code;
        try {
            code = run(Path.of(all.get(0)), folder, all.get(1), all.subList(2, all.size()));
        } finally {
            remove(folder);
        }
        System.exit(code);
    }

    private static int run(Path sources, Path folder, String client, List<String> schedule) throws Exception {
        String simple = client.substring(client.lastIndexOf('.') + 1);
        Path support = Files.createDirectory(folder.resolve("support"));
        Path clients = Files.createDirectory(folder.resolve("client"));
        String path = absolute(System.getProperty("java.class.path"));
        boolean isCompiled = compile(sources.resolve("AsercheckSupport.java"), support, path)
                && compile(sources.resolve(simple + ".java"), clients, support + File.pathSeparator + path);
        if (!isCompiled) {
            return 2;
        }
        if (schedule.get(0).equals("stress")) {
            return stress(clients, client);
        }
        List<String> command = new ArrayList<>(Arrays.asList(System.getProperty("java.home") + "/bin/java", "-Xmx256m",
                "-XX:TieredStopAtLevel=1", "-Dsun.reflect.inflationThreshold=" + Integer.MAX_VALUE,
                "-Djdk.reflect.useNativeAccessorOnly=true", "-javaagent:" + AgentArchive.write(support),
                CompiledClientTarget.class.getName(), clients + File.pathSeparator + path, client));
        command.addAll(schedule);
        return new ProcessBuilder(command).directory(folder.toFile()).inheritIO().start().waitFor();
    }

    /** Runs the calls at the same time, without stopping threads. */
    private static int stress(Path classes, String name) throws Exception {
        java.net.URL[] urls = {classes.toUri().toURL()};
        ClassLoader parent = AsercheckSupport.class.getClassLoader();
        try (java.net.URLClassLoader loader = new java.net.URLClassLoader(urls, parent)) {
            Stress stress = new Stress(Class.forName(name, true, loader));
            Map<String, String> outcome = stress.run();
            if (outcome == null) {
                System.out.println("not reproduced: every outcome is that of a serial order");
                return 0;
            }
            CompiledClientTarget.print(System.out, stress.orders(), outcome);
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

    private static boolean compile(Path source, Path classes, String path) {
        return ToolProvider.getSystemJavaCompiler().run(null, null, null, "-nowarn", "-proc:none", "-Xlint:none",
                "-encoding", "UTF-8", "-d", classes.toString(), "-cp", path, source.toString()) == 0;
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        }
    }
}
