package asercheck.confirm;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** The archive of the classes of the target, which the Java machine loads as an agent. */
final class AgentArchive {
    static final String NAME = "agent.jar";

    private AgentArchive() {}

    /** Writes the archive into the folder of the classes, which is the argument. */
    public static void main(String[] given) throws IOException {
        write(Path.of(given[0]));
    }

    /** Writes the archive of the classes in a folder into the folder. Returns its path. */
    static Path write(Path folder) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", Rewriting.Agent.class.getName());
        manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
        manifest.getMainAttributes().putValue("Boot-Class-Path", NAME);
        Path archive = folder.resolve(NAME);
        try (OutputStream file = Files.newOutputStream(archive);
                JarOutputStream out = new JarOutputStream(file, manifest)) {
            out.setLevel(0);
            for (Path one : classes(folder)) {
                out.putNextEntry(new ZipEntry(folder.relativize(one).toString().replace('\\', '/')));
                Files.copy(one, out);
                out.closeEntry();
            }
        }
        return archive;
    }

    private static List<Path> classes(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(one -> one.toString().endsWith(".class")).sorted().collect(Collectors.toList());
        }
    }
}
