package asercheck.confirm;

import java.io.File;
import java.io.IOException;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;

/** Ends the target when one of its threads is about to reach outside of it. */
final class Guards {
    /** O_WRONLY, O_RDWR and O_CREAT of Linux and macOS. */
    private static final int WRITING = 3 | 0x40 | 0x200;

    private static volatile String folder;
    /** Is told the forbidden effect, and the method of the program that led there; does not return. */
    private static volatile BiConsumer<String, String> listener;

    /** Gets the status when a whole program ends itself; does not return. Null for clients, which must not. */
    static volatile IntConsumer exit;

    private Guards() {}

    /** Begins to guard; files may be written in a folder only. */
    static void begin(File own, BiConsumer<String, String> told) throws IOException {
        folder = own.getCanonicalPath() + File.separator;
        listener = told;
    }

    /** Guards no longer, because the target itself ends the Java machine. */
    static void end() {
        listener = null;
    }

    /**
     * A guarded method begins: its first argument if that is an object, and its second if that is a number, or -1. The
     * number of a method that ends the program is its status.
     */
    static void check(Object argument, int mode, int number) {
        BiConsumer<String, String> told = listener;
        if (told == null) {
            return;
        }
        String[] row = GuardedMethods.METHODS[number];
        IntConsumer program = exit;
        if (program != null && row[0].equals(GuardedMethods.END)) {
            program.accept(mode);
        }
        String effect = forbidden(row, argument, mode);
        if (effect != null) {
            TestRun.refuse(effect);
            told.accept(effect, firstCalled());
        }
    }

    /** Returns the forbidden effect; null if there is none. */
    private static String forbidden(String[] row, Object argument, int mode) {
        boolean isOfFile = !row[3].equals("-1");
        if (!isOfFile) {
            // The library may load native code.
            boolean isOfJava = argument instanceof Class && ((Class<?>) argument).getClassLoader() == null;
            return isOfJava ? null : row[0];
        }
        boolean isOnlyRead = row[1].endsWith("RandomAccessFile") ? mode >= 0 && (mode & 1) != 0
                : row[1].endsWith("UnixNativeDispatcher") && row[2].startsWith("open") && mode >= 0
                        && (mode & WRITING) == 0;
        if (isOnlyRead) {
            return null;
        }
        String path = argument == null || argument instanceof byte[] ? null : argument.toString();
        return path != null && isWithin(path) ? null : row[0] + (path == null ? "" : " (" + path + ")");
    }

    private static boolean isWithin(String path) {
        if (path.equals("/dev/null") || path.isEmpty()) {
            return true;
        }
        try {
            File file = new File(path);
            File absolute = file.isAbsolute() ? file : new File(folder, path);
            return (absolute.getCanonicalPath() + File.separator).startsWith(folder);
        } catch (IOException unknown) {
            return false;
        }
    }

    /** Returns the name of the first method of the program that this thread called. */
    static String firstCalled() {
        StackTraceElement[] frames = Thread.currentThread().getStackTrace();
        for (int i = frames.length - 1; i >= 0; i--) {
            if (frames[i].getModuleName() == null && !isOwn(frames[i].getClassName())) {
                return frames[i].getMethodName();
            }
        }
        return "";
    }

    /** Returns the class of the program whose code this thread executes. */
    static String running() {
        for (StackTraceElement frame : Thread.currentThread().getStackTrace()) {
            if (frame.getModuleName() == null && !isOwn(frame.getClassName())) {
                return frame.getClassName();
            }
        }
        return "";
    }

    private static boolean isOwn(String type) {
        try {
            return Class.forName(type, false, Guards.class.getClassLoader()).getClassLoader() == null;
        } catch (ClassNotFoundException | LinkageError other) {
            return false;
        }
    }
}
