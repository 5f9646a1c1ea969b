package recorder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import jdk.internal.org.objectweb.asm.ClassReader;
import jdk.internal.org.objectweb.asm.ClassVisitor;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

/** The program classes and the methods that they declare. */
final class Given {
    /** A program class. */
    private record Declared(List<String> above, Set<String> methods) {}

    private final Map<String, Declared> classes = new HashMap<>();

    static Given of(Path folder) throws IOException {
        Given given = new Given();
        List<Path> files;
        try (Stream<Path> found = Files.walk(folder)) {
            files = found.filter(path -> path.toString().endsWith(".class")).toList();
        }
        for (Path file : files) {
            given.read(new ClassReader(Files.readAllBytes(file)));
        }
        return given;
    }

    private void read(ClassReader reader) {
        List<String> above = new ArrayList<>(List.of(reader.getInterfaces()));
        if (reader.getSuperName() != null) {
            above.add(reader.getSuperName());
        }
        Set<String> methods = new HashSet<>();
        ClassVisitor visitor = new ClassVisitor(Opcodes.ASM8) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String of, String[] thrown) {
                methods.add(name + descriptor);
                return null;
            }

            // Permitted subclasses are not needed; versions of the library have different names for them.
            public void visitPermittedSubclass(String name) {}

            public void visitPermittedSubclassExperimental(String name) {}
        };
        reader.accept(visitor, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
        classes.put(reader.getClassName(), new Declared(above, methods));
    }

    /** Returns the names of all classes, as in source code. */
    List<String> names() {
        return classes.keySet().stream().map(name -> name.replace('/', '.')).sorted().toList();
    }

    /** Whether there is a class of this name, as in class files. */
    boolean has(String name) {
        return classes.containsKey(name);
    }

    /** Whether a call runs a method that no program class declares. */
    boolean isLibrary(String owner, String name, String descriptor) {
        Deque<String> open = new ArrayDeque<>(List.of(owner));
        Set<String> seen = new HashSet<>();
        while (!open.isEmpty()) {
            Declared declared = classes.get(open.pop());
            if (declared != null && declared.methods.contains(name + descriptor)) {
                return false;
            }
            if (declared != null) {
                declared.above.stream().filter(seen::add).forEach(open::push);
            }
        }
        return true;
    }
}
