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
import java.util.List;
import java.util.Map;

/**
 * The virtual machine in which clients run. Reads commands, one in each line, and answers each with a line. Ends at the
 * end of its input.
 */
final class Target {
    private final Types types;
    private final ClientMaker clients;
    private final PrintStream out;
    private Client client;
    private boolean isStatic;
    /** The loader of the last run, whose classes are initialized. */
    private ClassLoader last;

    private Target(Types types, PrintStream out) {
        this.types = types;
        clients = new ClientMaker(types);
        this.out = out;
    }

    /** Arguments: the entries of the class path. */
    public static void main(String[] given) throws Exception {
        List<File> path = new ArrayList<>();
        for (String one : given) {
            path.add(new File(one));
        }
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, "UTF-8");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.setIn(InputStream.nullInputStream());
        // The output of the classes must not mix with the answers.
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        GuardedMethods.load();
        new Target(new Types(path), out).serve(in);
        Runtime.getRuntime().halt(0);
    }

    private void serve(BufferedReader in) throws IOException {
        out.println("ready\t" + System.getProperty("java.runtime.name") + " " + System.getProperty("java.version"));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(answer(Lines.split(line)));
        }
    }

    private String answer(String[] command) {
        try {
            switch (command[0]) {
                case "client":
                    return plan(command);
                case "load":
                    client.loaded.clear();
                    client.loaded.addAll(Arrays.asList(command).subList(1, command.length));
                    return "loaded";
                case "run":
                    return run(Long.parseLong(command[1]), command.length > 2);
                case "source":
                    return Lines.join("source", ClientSource.of(client));
                default:
                    return Lines.join("error", "no command " + command[0]);
            }
        } catch (CreationException why) {
            return Lines.join("cannot", why.getMessage());
        } catch (Throwable thrown) {
            return Lines.join("cannot", String.valueOf(thrown));
        }
    }

    /** Plans a client: {@code client SUBJECT static|object SEED AVOID UNIT BY...}. */
    private String plan(String[] command) throws CreationException, InterruptedException {
        client = null;
        last = null;
        isStatic = command[2].equals("static");
        client = clients.make(new ClientMaker.Request(command[1], isStatic, Integer.parseInt(command[3]),
                Arrays.asList(command[4].split(",")), Arrays.asList(command).subList(5, command.length)));
        StringBuilder before = new StringBuilder();
        for (Client.Statement step : client.before) {
            before.append(before.length() == 0 ? "" : " ").append(step.text());
        }
        List<String> fields = new ArrayList<>(Arrays.asList("client", command[3], before.toString()));
        for (List<Expression> side : client.sides) {
            fields.add(String.valueOf(side.size()));
            side.forEach(call -> fields.add(call.text()));
        }
        return Lines.join(fields);
    }

    /**
     * Runs the client; if {@code isWarm}, with the classes of the last run, so that no class is loaded during the run.
     */
    private String run(long patience, boolean isWarm) throws InterruptedException {
        ClassLoader loader = isWarm && last != null && !isStatic ? last : types.fresh();
        last = loader;
        Map<String, String> outcome = new Attempt(client.runnable(loader), patience).run(loader);
        List<String> fields = new ArrayList<>();
        fields.add("outcome");
        outcome.forEach((name, text) -> {
            fields.add(name);
            fields.add(text);
        });
        return Lines.join(fields);
    }
}
