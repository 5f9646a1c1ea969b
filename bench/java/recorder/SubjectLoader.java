package recorder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Loads the classes of one folder, which are recorded. */
final class SubjectLoader extends ClassLoader {
    private final Path folder;
    private final Given given;

    SubjectLoader(Path folder) throws IOException {
        super(SubjectLoader.class.getClassLoader());
        this.folder = folder;
        given = Given.of(folder);
    }

    Given given() {
        return given;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try {
            byte[] code = Files.readAllBytes(folder.resolve(name.replace('.', '/') + ".class"));
            return defineClass(name, code, 0, code.length);
        } catch (IOException problem) {
            throw new ClassNotFoundException(name, problem);
        }
    }

    /** Whether objects of a class are told apart by their own fields: a given class, or a function that it makes. */
    static boolean isSubject(Class<?> of) {
        return of.getClassLoader() instanceof SubjectLoader;
    }
}
