package asercheck.confirm;

import java.util.Arrays;
import java.util.List;

/** The classes that are rewritten, and where their hooks stand. */
enum Roles {
    /** The class is left as it is. */
    NONE,
    /** A class of the program: hooks before accesses and monitor operations; locks are seen before they are taken. */
    PROGRAM,
    /** A class of the library: the same hooks, but a synchronized method is seen when it has its lock. */
    LIBRARY,
    /** A class whose methods are atomic for other threads: a hook at the beginning of each public method. */
    WHOLE;

    private static final List<String> WHOLES = Arrays.asList("java/util/concurrent/atomic/",
            "java/util/concurrent/locks/", "java/util/concurrent/Semaphore", "java/util/concurrent/CountDownLatch",
            "java/util/concurrent/CyclicBarrier", "java/util/concurrent/Phaser", "java/util/concurrent/Exchanger");
    /** Classes below {@code locks} whose methods are called by others of them only. */
    private static final List<String> INNER = Arrays.asList("java/util/concurrent/locks/Abstract",
            "java/util/concurrent/locks/LockSupport", "java/util/concurrent/locks/ReentrantLock$",
            "java/util/concurrent/locks/ReentrantReadWriteLock$Sync",
            "java/util/concurrent/locks/ReentrantReadWriteLock$Fair",
            "java/util/concurrent/locks/ReentrantReadWriteLock$Nonfair", "java/util/concurrent/Semaphore$",
            "java/util/concurrent/CountDownLatch$", "java/util/concurrent/Phaser$", "java/util/concurrent/Exchanger$",
            "java/util/concurrent/CyclicBarrier$");
    private static final List<String> LIBRARIES = Arrays.asList("java/util/", "java/lang/StringBuffer",
            "java/lang/StringBuilder", "java/lang/AbstractStringBuilder", "java/text/", "java/io/ByteArray",
            "java/io/Buffered", "java/io/CharArray", "java/io/Filter", "java/io/Piped", "java/io/Pushback",
            "java/io/Sequence", "java/io/String", "java/io/Data", "java/io/Print", "java/io/Reader", "java/io/Writer",
            "java/io/InputStream", "java/io/OutputStream", "java/io/LineNumber", "java/util/regex/Matcher",
            "java/nio/Buffer", "java/nio/ByteBuffer", "java/nio/CharBuffer", "java/nio/ShortBuffer",
            "java/nio/IntBuffer", "java/nio/LongBuffer", "java/nio/FloatBuffer", "java/nio/DoubleBuffer",
            "java/nio/Heap");
    private static final List<String> LEFT = Arrays.asList("java/util/zip/", "java/util/jar/", "java/util/logging/",
            "java/util/prefs/", "java/util/spi/", "java/util/stream/", "java/util/function/", "java/util/Locale",
            "java/util/Formatter", "java/util/ResourceBundle", "java/util/ServiceLoader", "java/util/regex/",
            "java/util/concurrent/TimeUnit", "java/util/concurrent/ForkJoin", "java/util/concurrent/ThreadLocalRandom",
            "java/util/concurrent/ThreadPerTask", "java/util/concurrent/StructuredTask", "java/util/Objects",
            "java/util/Comparator", "java/util/Spliterator", "java/util/PrimitiveIterator",
            "java/util/ImmutableCollections", "java/util/ArrayPrefix", "java/util/ArraysParallel",
            "java/util/ComparableTimSort", "java/util/TimSort", "java/util/DualPivot");

    /** Returns the role of a class; {@code isOfLibrary}: it is loaded by the loaders of the Java machine. */
    static Roles of(String name, boolean isOfLibrary) {
        if (!isOfLibrary) {
            // Classes of the library that call methods by reflection may belong to a loader of the program.
            return name.startsWith("jdk/") || name.startsWith("sun/") ? NONE : PROGRAM;
        }
        if (begins(name, WHOLES)) {
            boolean isInner = begins(name, INNER) && !name.endsWith("$ConditionObject");
            return isInner || name.endsWith("Exception") ? NONE : WHOLE;
        }
        boolean isException = name.endsWith("Exception") || name.endsWith("Error");
        boolean isLeft = begins(name, LEFT) && !name.equals("java/util/regex/Matcher")
                || name.equals("java/util/Arrays");
        return isException || isLeft || !begins(name, LIBRARIES) ? NONE : LIBRARY;
    }

    private static boolean begins(String name, List<String> prefixes) {
        for (String prefix : prefixes) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
