package asercheck.confirm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** The machine in which a whole program runs. It ends when nobody is there any more who watches it. */
final class ProgramTarget {
    /** What it says when breakpoints can be set. */
    static final String READY = "asercheck: ready";
    /** The thread that is none of the program. */
    static final String WATCHER = "asercheck watcher";

    private ProgramTarget() {}

    /** Gets the name of the program's main class. */
    public static void main(String[] given) throws Throwable {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        System.setIn(InputStream.nullInputStream());
        Guarded.load();
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
