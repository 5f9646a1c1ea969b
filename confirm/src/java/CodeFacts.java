package asercheck.confirm;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Facts that the planner reads from the code of the class path, each once. */
final class CodeFacts {
    private final Types types;
    private final Map<Class<?>, Constants> constants = new HashMap<>();
    /** The files of classes that were asked for by name; null for those that cannot be read. */
    private final Map<String, ClassFile> files = new HashMap<>();
    private CallGraph callGraph;

    CodeFacts(Types types) {
        this.types = types;
    }

    /** Returns the constants in the code of a class, of its superclasses and of the classes within. */
    Constants constants(Class<?> type) {
        return constants.computeIfAbsent(type, any -> {
            List<ClassFile> files = new ArrayList<>();
            for (Class<?> above = type; above != null && !ValuePrinter.isOfJava(above); above = above.getSuperclass()) {
                add(above, files);
            }
            try {
                for (Class<?> inner : type.getDeclaredClasses()) {
                    add(inner, files);
                }
            } catch (LinkageError missing) {
                // The constants of the class itself remain.
                return new Constants(files);
            }
            return new Constants(files);
        });
    }

    private void add(Class<?> type, List<ClassFile> files) {
        add(type.getName(), files);
    }

    private void add(String name, List<ClassFile> files) {
        try (InputStream stream = types.file(name.replace('.', '/') + ".class")) {
            if (stream != null) {
                files.add(new ClassFile(new DataInputStream(new BufferedInputStream(stream))));
            }
        } catch (IOException | RuntimeException unreadable) {
            // A damaged file has no facts.
            return;
        }
    }

    /** Returns the file of a class; null for classes of the library, and for files that cannot be read. */
    ClassFile file(String name) {
        if (!files.containsKey(name)) {
            List<ClassFile> found = new ArrayList<>();
            if (!name.startsWith("java.") && !name.startsWith("[")) {
                add(name, found);
            }
            files.put(name, found.isEmpty() ? null : found.get(0));
        }
        return files.get(name);
    }

    /** Returns the calls of all classes of the class path. */
    CallGraph callGraph() {
        if (callGraph == null) {
            List<ClassFile> files = new ArrayList<>();
            types.names().forEach(name -> add(name, files));
            callGraph = new CallGraph(files);
        }
        return callGraph;
    }
}
