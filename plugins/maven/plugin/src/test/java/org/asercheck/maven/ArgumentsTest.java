package org.asercheck.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
    private final Path folder = Path.of("project").toAbsolutePath();

    @Test
    void pathsBelowTheFolderAreRelative() {
        Arguments arguments = new Arguments(folder, folder.resolve("target/classes"))
                .paths("--library", List.of(folder.resolve("../project/lib/a.jar"), folder.resolve("../other/b.jar")));
        String other = folder.resolveSibling("other").resolve("b.jar").toString();
        String own = Path.of("lib", "a.jar").toString();
        assertEquals(
                List.of("java", Path.of("target", "classes").toString(), "--library", own, "--library", other),
                arguments.list());
    }

    @Test
    void theFolderItselfHasItsWholeName() {
        assertEquals(List.of("java", folder.toString()), new Arguments(folder, folder).list());
    }

    @Test
    void optionsKeepTheirOrder() {
        Arguments arguments = new Arguments(folder, folder.resolve("classes"))
                .option("--fail-on", "likely")
                .all(List.of("--deadlocks", "--jobs", "2"));
        assertEquals(
                List.of("java", "classes", "--fail-on", "likely", "--deadlocks", "--jobs", "2"), arguments.list());
    }
}
