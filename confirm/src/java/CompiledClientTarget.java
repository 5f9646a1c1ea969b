package asercheck.confirm;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A target for a client that is a compiled class. Arguments: the class, and classes to load. */
final class CompiledClientTarget {
    private CompiledClientTarget() {}

    public static void main(String[] given) throws Exception {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, "UTF-8");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        GuardedMethods.load();
        Types types = new Types(path());
        out.println("ready\t" + System.getProperty("java.version"));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] command = Lines.split(line);
            ClassLoader loader = types.fresh();
            for (int i = 1; i < given.length; i++) {
                Class.forName(given[i], true, loader);
            }
            RunnableClient client = new CompiledClient(Class.forName(given[0], true, loader));
            Map<String, String> outcome = new Attempt(client, Long.parseLong(command[1])).run(loader);
            List<String> fields = new ArrayList<>();
            fields.add("outcome");
            outcome.forEach((name, text) -> {
                fields.add(name);
                fields.add(text);
            });
            out.println(Lines.join(fields));
        }
        Runtime.getRuntime().halt(0);
    }

    /** Returns the class path of the client. */
    private static List<File> path() {
        List<File> path = new ArrayList<>();
        for (String one : System.getProperty("asercheck.path").split(File.pathSeparator)) {
            path.add(new File(one));
        }
        return path;
    }
}
