package org.asercheck.maven;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The program {@code asercheck}, which runs in a folder. */
final class Command {
    private final Path program;
    private final Path folder;

    Command(Path program, Path folder) {
        this.program = program;
        this.folder = folder;
    }

    /** Runs it, hands over the lines of its output and of its messages, and returns its exit code. */
    int run(List<String> arguments, Consumer<String> lines) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(program.toString());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        // The development kit that confirms findings is the one that runs Maven.
        builder.environment().putIfAbsent("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        process.getOutputStream().close();
        InputStreamReader output = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8);
        try (BufferedReader reader = new BufferedReader(output)) {
            reader.lines().forEach(lines);
            return process.waitFor();
        } finally {
            process.destroy();
        }
    }
}
