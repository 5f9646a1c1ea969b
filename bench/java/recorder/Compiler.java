package recorder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles many programs at once, each of a package of its own.
 *
 * <p>{@code Compiler FOLDER NAME}: the standard input has a source file on each line. The class files of package
 * {@code p} go below {@code FOLDER/p/NAME}.
 */
public final class Compiler {
    private Compiler() {}

    public static void main(String[] given) throws IOException {
        List<String> sources = new String(System.in.readAllBytes()).lines().toList();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        JavaFileManager divided = new Divided(files, Path.of(given[0]), given[1]);
        List<String> options = List.of("-g", "-nowarn", "-proc:none", "-Xlint:none");
        boolean isDone = compiler.getTask(null, divided, null, options, null, files.getJavaFileObjectsFromStrings(sources))
            .call();
        System.exit(isDone ? 0 : 1);
    }

    /** Puts the classes of each package into a folder of its own. */
    private static final class Divided extends ForwardingJavaFileManager<JavaFileManager> {
        private final Path folder;
        private final String name;

        Divided(JavaFileManager files, Path folder, String name) {
            super(files);
            this.folder = folder;
            this.name = name;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
            Location location, String made, JavaFileObject.Kind kind, FileObject near) throws IOException {
            String file = made.replace('.', '/') + kind.extension;
            Path path = folder.resolve(made.substring(0, made.indexOf('.'))).resolve(name).resolve(file);
            Files.createDirectories(path.getParent());
            return new SimpleJavaFileObject(path.toUri(), kind) {
                @Override
                public java.io.OutputStream openOutputStream() throws IOException {
                    return Files.newOutputStream(path);
                }
            };
        }
    }
}
