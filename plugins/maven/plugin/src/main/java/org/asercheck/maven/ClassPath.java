package org.asercheck.maven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;

/** The elements of a class path that the command can read. */
final class ClassPath {
    private ClassPath() {}

    /**
     * Returns archives, and folders with classes, each once and in their order. A class path may also name folders that
     * do not exist, folders of resources alone, and artifacts that are no archives.
     */
    static Set<Path> readable(Collection<Path> elements) throws IOException {
        Set<Path> readable = new LinkedHashSet<>();
        for (Path element : elements) {
            if (isArchive(element) || hasClasses(element)) {
                readable.add(element);
            }
        }
        return readable;
    }

    /** Whether a folder has a class file. */
    static boolean hasClasses(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.anyMatch(file -> file.toString().endsWith(".class"));
        }
    }

    private static boolean isArchive(Path file) {
        String name = file.getFileName() == null ? "" : file.getFileName().toString();
        return Files.isRegularFile(file) && (name.endsWith(".jar") || name.endsWith(".zip"));
    }
}
