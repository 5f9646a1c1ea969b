package org.asercheck.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassPathTest {
    @TempDir
    Path folder;

    @Test
    void onlyArchivesAndFoldersWithClassesAreReadable() throws IOException {
        Path classes = Files.createDirectories(folder.resolve("classes/a/b"));
        Files.createFile(classes.resolve("C.class"));
        Path resources = Files.createDirectories(folder.resolve("resources"));
        Files.createFile(resources.resolve("text.properties"));
        Path jar = Files.createFile(folder.resolve("x.jar"));
        Path pom = Files.createFile(folder.resolve("x.pom"));
        Path missing = folder.resolve("missing.jar");
        Path whole = folder.resolve("classes");
        assertEquals(
                List.of(jar, whole),
                List.copyOf(ClassPath.readable(List.of(jar, pom, resources, whole, missing, jar))));
    }

    @Test
    void aFolderThatDoesNotExistHasNoClasses() throws IOException {
        assertFalse(ClassPath.hasClasses(folder.resolve("missing")));
    }
}
