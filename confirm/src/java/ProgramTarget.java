package asercheck.confirm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** The virtual machine in which a whole program runs. Ends with its program, or at the end of its input. */
final class ProgramTarget {
    /** The line that says that breakpoints can be set. */
    static final String READY = "asercheck: ready";
    /** The name of the thread that waits for the end of the input; not a thread of the program. */
    static final String WATCHER = "asercheck watcher";

    private ProgramTarget() {}

    /** Argument: the class with the method {@code main}. */
    public static void main(String[] given) throws Throwable {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        System.setIn(InputStream.nullInputStream());
        GuardedMethods.load();
        System.out.println(READY);
        in.readLine();
        Thread watcher = new Thread(() -> watch(in), WATCHER);
        watcher.setDaemon(true);
        watcher.start();
        Class<?> program = Class.forName(given[0], false, ClassLoader.getSystemClassLoader());
        Method main = program.getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        try {
            main.invoke(null, (Object) new String[0]);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    private static void watch(BufferedReader in) {
        try {
            while (in.readLine() != null) {
                continue;
            }
        } catch (IOException ended) {
            Runtime.getRuntime().halt(0);
        }
        Runtime.getRuntime().halt(0);
    }
}
