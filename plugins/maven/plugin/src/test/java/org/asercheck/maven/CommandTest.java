package org.asercheck.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class CommandTest {
    @TempDir
    Path folder;

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void outputAndMessagesAreHandedOver() throws Exception {
        Command shell = new Command(Path.of("/bin/sh"), folder.toRealPath());
        List<String> lines = new ArrayList<>();
        int exitCode = shell.run(List.of("-c", "pwd; echo '▶ two words' >&2; exit 3"), lines::add);
        assertEquals(3, exitCode);
        assertEquals(List.of(folder.toRealPath().toString(), "▶ two words"), lines);
    }

    @Test
    void aProgramThatDoesNotExistIsAnError() {
        Command missing = new Command(folder.resolve("missing"), folder);
        assertThrows(IOException.class, () -> missing.run(List.of(), line -> {}));
    }
}
