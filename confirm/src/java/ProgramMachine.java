package asercheck.confirm;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.VirtualMachineManager;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.VMStartEvent;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;

/** A virtual machine in which a client runs, with a debugger connection to it. */
final class ProgramMachine {
    final Process process;
    final VirtualMachine vm;
    final PrintStream in;
    /** The lines of its output (strings), the events of its threads ({@link EventSet}), and {@link #GONE}. */
    final LinkedBlockingQueue<Object> messages = new LinkedBlockingQueue<>();

    /** The machine has ended. */
    static final Object GONE = new Object();

    /** Starts a class with arguments in a folder, and waits for the connection. The error output is discarded. */
    ProgramMachine(File folder, List<String> options, List<String> command) throws Exception {
        this(folder, options, command, false);
    }

    /** Starts a class; if {@code mergesErrors}, the error output is a part of the output. */
    ProgramMachine(File folder, List<String> options, List<String> command, boolean mergesErrors) throws Exception {
        VirtualMachineManager manager = Bootstrap.virtualMachineManager();
        ListeningConnector listening = null;
        for (ListeningConnector one : manager.listeningConnectors()) {
            listening = one.name().equals("com.sun.jdi.SocketListen") ? one : listening;
        }
        if (listening == null) {
            throw new IOException("this Java has no debugger");
        }
        Map<String, Connector.Argument> settings = listening.defaultArguments();
        settings.get("localAddress").setValue("127.0.0.1");
        settings.get("port").setValue("0");
        settings.get("timeout").setValue("20000");
        String address = listening.startListening(settings);
        try {
            process = start(folder, options, command, mergesErrors,
                    "127.0.0.1:" + address.substring(address.lastIndexOf(':') + 1));
            vm = accept(listening, settings);
        } finally {
            listening.stopListening(settings);
        }
        in = new PrintStream(process.getOutputStream(), true, "UTF-8");
        daemon("lines", this::read);
        daemon("events", this::pump);
    }

    private void pump() {
        try {
            while (true) {
                EventSet set = vm.eventQueue().remove();
                if (set.stream().anyMatch(event -> event instanceof VMStartEvent)) {
                    set.resume();
                } else {
                    messages.add(set);
                }
            }
        } catch (InterruptedException | VMDisconnectedException ended) {
            messages.add(GONE);
        }
    }

    private VirtualMachine accept(ListeningConnector listening, Map<String, Connector.Argument> settings)
            throws Exception {
        try {
            return listening.accept(settings);
        } catch (Exception none) {
            process.destroyForcibly();
            throw none;
        }
    }

    private static Process start(File folder, List<String> options, List<String> command, boolean mergesErrors,
            String address) throws IOException {
        List<String> words = new ArrayList<>();
        words.add(new File(System.getProperty("java.home"), "bin/java").getPath());
        words.add("-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=" + address);
        words.addAll(options);
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words).directory(folder);
        if (mergesErrors) {
            builder.redirectErrorStream(true);
        } else {
            builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        }
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        return builder.start();
    }

    static void daemon(String name, Runnable action) {
        Thread thread = new Thread(action, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                messages.add(line);
            }
        } catch (IOException ended) {
            messages.add(GONE);
        }
        messages.add(GONE);
    }

    /** Writes a line to its input. */
    void send(String line) {
        in.println(line);
    }

    /** Ends the machine and all its subprocesses. */
    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Returns the class of a name that was prepared last; null if there is none. */
    ReferenceType type(String name) {
        ReferenceType found = null;
        for (ReferenceType type : vm.classesByName(name)) {
            boolean isLater = found == null || type.classObject().uniqueID() > found.classObject().uniqueID();
            if (type.isPrepared() && isLater) {
                found = type;
            }
        }
        return found;
    }
}
