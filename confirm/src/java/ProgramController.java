package asercheck.confirm;

import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Runs whole programs, over the debugger connection to a Java machine for each run. Reads commands, one in each line,
 * and answers each with a line. At the end of its input, it ends the machine and itself.
 *
 * <p>The {@link Scheduler} does not suit them: it knows two threads, and a program has as many as it starts. The lines
 * of a finding need few stops, so the debugger is fast enough.
 */
final class ProgramController {
    private static final String END = "";

    private final File folder;
    private final String own;
    private final List<String> path;
    private final PrintStream out;
    private ProgramMachine machine;

    private ProgramController(File folder, String own, List<String> path, PrintStream out) {
        this.folder = folder;
        this.own = own;
        this.path = path;
        this.out = out;
    }

    /** Arguments: a folder for the target, the folder of these classes, and the class path of the client. */
    public static void main(String[] given) throws Exception {
        List<String> all = Arrays.asList(given);
        PrintStream out = new PrintStream(System.out, true, "UTF-8");
        ProgramController controller = new ProgramController(new File(all.get(0)), all.get(1), all.subList(2, all.size()), out);
        BlockingQueue<String> commands = new LinkedBlockingQueue<>();
        ProgramMachine.daemon("commands", () -> controller.read(commands));
        for (String line = commands.take(); !line.equals(END); line = commands.take()) {
            String answer;
            try {
                answer = controller.answer(line);
            } catch (Throwable thrown) {
                controller.kill();
                answer = Lines.join("gone", String.valueOf(thrown));
            }
            out.println(answer);
        }
    }

    private void read(BlockingQueue<String> commands) {
        try {
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                commands.add(line);
            }
        } catch (java.io.IOException ended) {
            commands.add(END);
        }
        // Ends a run that has not ended, too.
        kill();
        remove(folder);
        Runtime.getRuntime().halt(0);
    }

    /** Removes a folder and its contents. Does not follow links. */
    private static void remove(File folder) {
        try (java.util.stream.Stream<java.nio.file.Path> all = java.nio.file.Files.walk(folder.toPath())) {
            all.sorted(java.util.Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        } catch (java.io.IOException | java.io.UncheckedIOException left) {
            return;
        }
    }

    private synchronized void kill() {
        if (machine != null) {
            machine.kill();
        }
        machine = null;
    }

    private List<String> options(String classPath) {
        return Arrays.asList("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto",
                "-Djava.io.tmpdir=" + folder, "-Duser.dir=" + folder, "-Djava.awt.headless=true", "-cp", classPath);
    }

    /** Runs a whole program once, in a new virtual machine. */
    private String program(ProgramPlan plan) throws Exception {
        kill();
        ProgramRun run = new ProgramRun(startProgram(plan.main), folder, plan);
        try {
            return run.run();
        } finally {
            kill();
        }
    }

    private synchronized ProgramMachine startProgram(String main) throws Exception {
        List<String> all = new ArrayList<>(Arrays.asList(own));
        all.addAll(path);
        List<String> command = Arrays.asList("asercheck.confirm.ProgramTarget", main);
        machine = new ProgramMachine(folder, options(String.join(File.pathSeparator, all)), command, true);
        return machine;
    }

    private String answer(String line) throws Exception {
        String[] command = Lines.split(line);
        return command[0].equals("program") ? program(new ProgramPlan(command)) : Lines.join("error", command[0]);
    }
}
