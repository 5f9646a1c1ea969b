package recorder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles many programs at once, each in a package of its own.
 *
 * <p>{@code Compiler FOLDER NAME}: the standard input has a source file on each line. The class files of package
 * {@code p} go below {@code FOLDER/p/NAME}. Files on which the compiler itself fails are printed and omitted.
 */
public final class Compiler {
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    private final StandardJavaFileManager files = COMPILER.getStandardFileManager(null, null, null);
    private final Path folder;
    private final String name;

    private Compiler(Path folder, String name) {
        this.folder = folder;
        this.name = name;
    }

    public static void main(String[] given) throws IOException {
        List<String> sources = new String(System.in.readAllBytes()).lines().toList();
        Compiler compiler = new Compiler(Path.of(given[0]), given[1]);
        Result result = compiler.compiled(sources);
        if (result == Result.FAILED) {
            // The compiler itself has failed on one of them.
            boolean isWrong = sources.stream().map(compiler::alone).anyMatch(Result.WRONG::equals);
            result = isWrong ? Result.WRONG : Result.COMPILED;
        }
        System.exit(result == Result.WRONG ? 1 : 0);
    }

    /** Result of a compilation. */
    private enum Result {
        COMPILED,
        /** The sources are wrong. */
        WRONG,
        /** The compiler itself has failed. */
        FAILED
    }

    private Result compiled(List<String> sources) {
        JavaFileManager divided = new Divided(files, folder, name);
        List<String> options = List.of("-g", "-nowarn", "-proc:none", "-Xlint:none");
        DiagnosticCollector<JavaFileObject> told = new DiagnosticCollector<>();
        Iterable<? extends JavaFileObject> read = files.getJavaFileObjectsFromStrings(sources);
        if (COMPILER.getTask(null, divided, told, options, null, read).call()) {
            return Result.COMPILED;
        }
        boolean isWrong = false;
        for (Diagnostic<? extends JavaFileObject> one : told.getDiagnostics()) {
            if (one.getKind() == Diagnostic.Kind.ERROR) {
                System.err.println(one);
                isWrong = true;
            }
        }
        return isWrong ? Result.WRONG : Result.FAILED;
    }

    private Result alone(String source) {
        Result result = compiled(List.of(source));
        if (result == Result.FAILED) {
            System.out.println(source);
        }
        return result;
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
