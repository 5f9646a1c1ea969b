package asercheck.confirm;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The Java machine in which clients run. Reads commands, one in each line, and answers each with a line. Ends at the
 * end of its input, also during a run, and after an attempt to reach outside of it, which it answers with {@code
 * guarded}.
 */
final class Target {
    private static final String END = "";

    private final Types types;
    private final ClientMaker clients;
    private final PrintStream out;
    private final Scheduler scheduler = new Scheduler();
    private final Programs programs;
    private Client client;
    private TestScan tests;
    private boolean isStatic;
    private int seed;

    private Target(Types types, PrintStream out) {
        this.types = types;
        clients = new ClientMaker(types);
        programs = new Programs(types);
        this.out = out;
    }

    /** Arguments: the entries of the class path. */
    public static void main(String[] given) throws Exception {
        List<File> path = new ArrayList<>();
        for (String one : given) {
            path.add(new File(one));
        }
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, "UTF-8");
        BlockingQueue<String> commands = commands();
        // The output of the classes must not mix with the answers.
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        Rewriting.begin();
        Guards.begin(new File("."), (effect, method) -> end(out,
                Lines.join("guarded", effect, method, Guards.running())));
        new Target(new Types(path), out).serve(commands);
    }

    /** Starts a thread that reads the commands, and ends the Java machine at their end. */
    static BlockingQueue<String> commands() {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.setIn(InputStream.nullInputStream());
        BlockingQueue<String> commands = new LinkedBlockingQueue<>();
        Thread reader = new Thread(() -> {
            try {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    commands.add(line);
                }
            } catch (IOException ended) {
                commands.clear();
            }
            end(null, END);
        }, "commands");
        reader.setDaemon(true);
        reader.start();
        return commands;
    }

    /** Writes a last answer, and ends the Java machine. */
    static void end(PrintStream out, String answer) {
        if (out != null) {
            // No other answer follows.
            synchronized (out) {
                out.println(answer);
                Guards.end();
                Runtime.getRuntime().halt(0);
            }
        }
        Guards.end();
        Runtime.getRuntime().halt(0);
    }

    private void serve(BlockingQueue<String> commands) throws InterruptedException {
        out.println("ready\t" + System.getProperty("java.runtime.name") + " " + System.getProperty("java.version"));
        while (true) {
            out.println(answer(Lines.split(commands.take())));
        }
    }

    private String answer(String[] command) {
        try {
            switch (command[0]) {
                case "client":
                    return plan(command);
                case "search":
                    return search(command);
                case "load":
                    initializeFirst(Arrays.asList(command).subList(1, command.length));
                    return "loaded";
                case "run":
                    return run(command);
                case "program":
                    return programs.run(command);
                case "tests":
                    return tests(command);
                case "test":
                    return Lines.join(tests.run(command[1]));
                case "source":
                    return source();
                default:
                    return Lines.join("error", "no command " + command[0]);
            }
        } catch (CreationException why) {
            return Lines.join("cannot", why.getMessage());
        } catch (Throwable thrown) {
            return Lines.join("cannot", String.valueOf(thrown));
        }
    }

    /** Plans a client: {@code client SUBJECT static|object SEED AVOID FIELDS UNIT BY...}. */
    private String plan(String[] command) throws CreationException, InterruptedException {
        client = null;
        isStatic = command[2].equals("static");
        seed = Integer.parseInt(command[3]);
        client = clients.make(new ClientMaker.Request(command[1], isStatic, seed,
                Arrays.asList(command[4].split(",")), Arrays.asList(command).subList(6, command.length),
                words(command[5])));
        StringBuilder before = new StringBuilder();
        for (Client.Statement step : client.before) {
            before.append(before.length() == 0 ? "" : " ").append(step.text());
        }
        List<String> fields = new ArrayList<>(Arrays.asList("client", command[3],
                client.way.name().toLowerCase(java.util.Locale.ROOT), client.by, before.toString()));
        for (List<Expression> side : client.sides) {
            fields.add(String.valueOf(side.size()));
            side.forEach(call -> fields.add(call.text()));
        }
        return Lines.join(fields);
    }

    /** Finds tests: {@code tests SUBJECTS PATH...}. */
    private String tests(String[] command) {
        List<File> from = new ArrayList<>();
        Arrays.asList(command).subList(2, command.length).forEach(name -> from.add(new File(name)));
        tests = new TestScan(types, words(command[1]));
        return Lines.join(tests.find(from));
    }

    /** Returns the source text of the client, and for an object of a test its class, and that of the test. */
    private String source() {
        TestMoment moment = client.moment();
        String text = ClientSource.of(client);
        return moment == null ? Lines.join("source", text) : Lines.join("source", text, moment.type, moment.test.type);
    }

    private void initializeFirst(Collection<String> names) {
        client.loaded.clear();
        client.loaded.addAll(names);
        ClassLoader loader = types.fresh();
        for (String name : names) {
            try {
                // Finds the classes of the library to which they refer.
                Class.forName(name, false, loader);
            } catch (ClassNotFoundException | LinkageError missing) {
                continue;
            }
        }
    }

    /** Searches for a schedule with a new outcome: {@code search MILLISECONDS LINES FIELDS SECTION KNOWN SYMMETRIC}. */
    private String search(String[] command) throws Exception {
        types.rewriteLibrary();
        Search.Question question = new Search.Question(client::runnable, types::fresh, types::rewriteLibrary,
                this::initializeFirst);
        question.isStatic = isStatic;
        question.seed = seed;
        question.nanoseconds = Long.parseLong(command[1]) * 1_000_000;
        question.lines = words(command[2]);
        question.fields = words(command[3]);
        question.section = words(command[4]);
        question.known = words(command[5]);
        question.isSymmetric = command[6].equals("1");
        return Lines.join(new Search(question, scheduler).run());
    }

    private static Set<String> words(String field) {
        return field.isEmpty() ? Set.of() : new HashSet<>(Arrays.asList(field.split(" ")));
    }

    /** Runs the client by a schedule: {@code run PATIENCE STEP...}. */
    private String run(String[] command) throws InterruptedException {
        types.rewriteLibrary();
        ClassLoader loader = types.fresh();
        Steps steps = Steps.of(Arrays.asList(command).subList(2, command.length));
        long patience = Long.parseLong(command[1]);
        return run(client.runnable(loader), loader, scheduler, steps, patience);
    }

    /** Returns the answer of a run: whether the schedule was kept, the milliseconds, and the outcome. */
    static String run(RunnableClient client, ClassLoader loader, Scheduler scheduler, Steps steps, long patience)
            throws InterruptedException {
        Map<String, String> outcome;
        try {
            outcome = new Attempt(client, scheduler, patience).run(loader, steps);
        } catch (Scheduler.Stalled stalled) {
            return Lines.join("gone", stalled.getMessage());
        }
        List<String> fields = new ArrayList<>();
        fields.add(outcome.containsKey("failed") ? "failed"
                : scheduler.hasDepended ? "depends" : scheduler.isKept ? "kept" : "changed");
        fields.add(String.valueOf(scheduler.milliseconds()));
        outcome.forEach((name, text) -> {
            fields.add(name);
            fields.add(text);
        });
        return Lines.join(fields);
    }
}
