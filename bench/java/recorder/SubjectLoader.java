package recorder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Loads the classes of one folder, which are recorded. */
final class SubjectLoader extends ClassLoader {
    /** The folder that was used last: its classes are read and recorded once, however often they are loaded. */
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

    /** The code of a class of this folder with calls of the recorder, if it was made before. */
    byte[] recorded(String name) {
        synchronized (SubjectLoader.class) {
            return folder.equals(last) ? recorded.get(name) : null;
        }
    }

    /** Keeps the code of a class with calls of the recorder. */
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

    /** Whether objects of a class are told apart by their own fields: a given class, or a function that it makes. */
    static boolean isSubject(Class<?> of) {
        return of.getClassLoader() instanceof SubjectLoader;
    }
}
