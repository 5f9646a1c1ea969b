package recorder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Loads the classes of one folder, to be recorded. */
final class SubjectLoader extends ClassLoader {
    /** The last folder: its classes are read and instrumented once, independent of the number of loads. */
    private static Path last;
    private static Given known;
    private static Map<String, byte[]> files = new HashMap<>();
    private static Map<String, byte[]> recorded = new HashMap<>();

    private final Path folder;
    private final Given given;

    SubjectLoader(Path folder) throws IOException {
        super(SubjectLoader.class.getClassLoader());
        this.folder = folder;
        synchronized (SubjectLoader.class) {
            if (!folder.equals(last)) {
                known = Given.of(folder);
                last = folder;
                files = new HashMap<>();
                recorded = new HashMap<>();
            }
            given = known;
        }
    }

    /** Returns the instrumented code of a class of this folder, if it is known. */
    byte[] recorded(String name) {
        synchronized (SubjectLoader.class) {
            return folder.equals(last) ? recorded.get(name) : null;
        }
    }

    /** Keeps the instrumented code of a class. */
    void keep(String name, byte[] code) {
        synchronized (SubjectLoader.class) {
            if (folder.equals(last)) {
                recorded.put(name, code);
            }
        }
    }

    Given given() {
        return given;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try {
            byte[] code = read(name);
            return defineClass(name, code, 0, code.length);
        } catch (IOException problem) {
            throw new ClassNotFoundException(name, problem);
        }
    }

    private byte[] read(String name) throws IOException {
        synchronized (SubjectLoader.class) {
            byte[] code = folder.equals(last) ? files.get(name) : null;
            if (code == null) {
                code = Files.readAllBytes(folder.resolve(name.replace('.', '/') + ".class"));
                if (folder.equals(last)) {
                    files.put(name, code);
                }
            }
            return code;
        }
    }

    /** Whether objects of a class have recorded fields: a program class, or a function that it creates. */
    static boolean isSubject(Class<?> of) {
        return of.getClassLoader() instanceof SubjectLoader;
    }
}
