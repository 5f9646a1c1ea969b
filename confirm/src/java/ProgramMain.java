package asercheck.confirm;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** The main thread of a run of a whole program. All threads of the program belong to its group. */
final class ProgramMain implements Runnable {
    private final String name;
    private final ClassLoader loader;
    final ThreadGroup group = new ThreadGroup("program");
    private volatile int code;

    /** The main thread of a class with a method {@code main}. */
    ProgramMain(String name, ClassLoader loader) {
        this.name = name;
        this.loader = loader;
    }

    void start() {
        Thread thread = new Thread(group, this, "main");
        thread.setDaemon(false);
        thread.setContextClassLoader(loader);
        thread.start();
    }

    /** Returns the status with which the program ends, if it does not end itself. */
    int code() {
        return code;
    }

    @Override
    public void run() {
        try {
            Method main = Class.forName(name, false, loader).getDeclaredMethod("main", String[].class);
            main.setAccessible(true);
            main.invoke(null, (Object) new String[0]);
        } catch (InvocationTargetException thrown) {
            code = 1;
            ProgramMain.<RuntimeException>sneak(thrown.getCause());
        } catch (ReflectiveOperationException | RuntimeException | LinkageError none) {
            code = 1;
            ProgramMain.<RuntimeException>sneak(none);
        }
    }

    /** Throws an exception that is not declared, so that it ends the thread as it would end the program's. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
