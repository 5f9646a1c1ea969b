package asercheck.confirm;

import java.util.HashSet;
import java.util.Set;

/**
 * Rewrites a class file so that its methods call the {@link Scheduler.Hook}. A method that would exceed a limit of
 * class files is left as it is, and counted.
 *
 * <p>The format is written here with own code, because the target runs on every Java machine from version 11 on:
 * {@code java.lang.classfile} begins with version 24, and the library that the Java machine used before is gone since.
 */
final class ClassRewriter {
    private static final int SYNCHRONIZED = 0x20;
    private static final int STATIC = 0x8;
    private static final int FINAL = 0x10;
    private static final int PUBLIC = 1;
    /** The first version of class files that can load a class as a constant. */
    private static final int CLASS_CONSTANTS = 49;
    private static final String KINDS = "IJFDABCS";

    /** The number of methods that were left as they are. */
    static volatile int left;

    /** The places of a whole program. Programs that show findings of clients do without them. */
    interface Places {
        /** Returns the hooks of a class. */
        Hooks hooks(ConstantPool pool, String type, String source);
    }

    /** Adds the hooks of a class of a whole program. */
    interface Hooks {
        /** Adds the hooks of a method. Returns whether it now takes its lock itself. */
        boolean add(CodeRewriter code, int flags, String method, String descriptor, int[] lines, boolean canTakeLock);
    }

    private final byte[] file;
    private final ConstantPool pool;
    private final Roles role;
    private final boolean isOfLibrary;
    private final int version;
    private String name;
    private String source = "?";
    private final Set<String> finals = new HashSet<>();
    private MethodHooks hooks;
    /** The places of a whole program; null if the class is one of a client. */
    private final Places places;
    private boolean isChanged;
    private boolean hasLines;
    private final TestCode tests;
    private TestHooks testHooks;

    private ClassRewriter(byte[] file, Roles role, boolean isOfLibrary, Places places, TestCode tests) {
        this.file = file;
        this.tests = tests;
        this.role = role;
        this.isOfLibrary = isOfLibrary;
        this.places = places;
        pool = new ConstantPool(file);
        version = u2(6);
    }

    /** Returns the rewritten class; null if there is nothing to rewrite. {@code referred} gets the names of classes. */
    static byte[] rewrite(byte[] file, boolean isOfLibrary, Set<String> referred) {
        return rewrite(file, isOfLibrary, referred, TestCode.NONE);
    }

    /** The same, with the hooks of tests. */
    static byte[] rewrite(byte[] file, boolean isOfLibrary, Set<String> referred, TestCode tests) {
        ConstantPool pool = new ConstantPool(file);
        String name = pool.type((file[pool.end + 2] & 0xff) << 8 | file[pool.end + 3] & 0xff);
        Roles role = Roles.of(name, isOfLibrary);
        if (role == Roles.NONE && !SpecialMethods.has(name)) {
            return null;
        }
        try {
            ClassRewriter rewriter = new ClassRewriter(file, role, isOfLibrary, null, tests);
            byte[] result = rewriter.result();
            if (referred != null && role != Roles.NONE) {
                rewriter.addTypes(referred);
            }
            return result;
        } catch (ConstantPool.TooLarge large) {
            left++;
            return null;
        }
    }

    /** Returns a class of a whole program with hooks at its places; null if it has none. */
    static byte[] rewrite(byte[] file, Places places) {
        try {
            ClassRewriter rewriter = new ClassRewriter(file, Roles.PROGRAM, false, places, TestCode.NONE);
            byte[] result = rewriter.result();
            return rewriter.isChanged ? result : null;
        } catch (ConstantPool.TooLarge large) {
            left++;
            return null;
        }
    }

    /** Adds the names of the classes to which this one refers. A class of the library makes strings for exceptions. */
    private void addTypes(Set<String> referred) {
        for (String type : pool.types()) {
            if (!isOfLibrary || !type.startsWith("java/lang/") || name.startsWith("java/lang/")) {
                referred.add(type);
            }
        }
    }

    private int u2(int place) {
        return (file[place] & 0xff) << 8 | file[place + 1] & 0xff;
    }

    private byte[] result() {
        int place = pool.end;
        name = pool.type(u2(place + 2));
        Bytes body = new Bytes();
        int interfaces = u2(place + 6);
        int fields = place + 8 + 2 * interfaces;
        int methods = members(fields, true);
        int attributes = members(methods, false);
        source(attributes);
        hooks = new MethodHooks(pool, name, pool.type(u2(place + 4)), source, isOfLibrary, finals);
        testHooks = new TestHooks(pool, name, source, tests);
        hasLines = isOfLibrary || pool.has(CodeRewriter.LINES);
        if (!hasLines) {
            Sites.WITHOUT_LINES.add(name.replace('/', '.'));
        }
        body.bytes(file, place, methods - place);
        int count = u2(methods);
        body.u2(count);
        int next = methods + 2;
        for (int i = 0; i < count; i++) {
            next = method(body, next);
        }
        body.bytes(file, attributes, file.length - attributes);
        java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream(2 * file.length);
        out.write(file, 0, 8);
        pool.write(out);
        byte[] all = body.toByteArray();
        out.write(all, 0, all.length);
        return out.toByteArray();
    }

    /** Returns the place after the fields or methods. */
    private int members(int place, boolean areFields) {
        int count = u2(place);
        int next = place + 2;
        for (int i = 0; i < count; i++) {
            if (areFields && (u2(next) & FINAL) != 0) {
                finals.add(pool.text(u2(next + 2)));
            }
            int attributes = u2(next + 6);
            next += 8;
            for (int j = 0; j < attributes; j++) {
                next += 6 + Instructions.word(file, next + 2);
            }
        }
        return next;
    }

    private void source(int place) {
        int next = place + 2;
        for (int i = 0; i < u2(place); i++) {
            if (pool.text(u2(next)).equals("SourceFile")) {
                source = pool.text(u2(next + 6));
            }
            next += 6 + Instructions.word(file, next + 2);
        }
    }

    /** Writes a method. Returns the place after the old one. */
    private int method(Bytes out, int place) {
        int flags = u2(place);
        String method = pool.text(u2(place + 2));
        String descriptor = pool.text(u2(place + 4));
        int count = u2(place + 6);
        int next = place + 8;
        Bytes attributes = new Bytes();
        int newFlags = flags;
        for (int i = 0; i < count; i++) {
            int length = Instructions.word(file, next + 2);
            byte[] changed = null;
            if (pool.text(u2(next)).equals("Code")) {
                try {
                    CodeRewriter code = new CodeRewriter(file, pool, next + 6);
                    if (!hasLines) {
                        code.addLines();
                    }
                    boolean takesLock = rewrite(code, flags, method, descriptor, next + 6);
                    changed = code.isChanged() ? code.result() : null;
                    isChanged |= changed != null;
                    newFlags = takesLock ? flags & ~SYNCHRONIZED : flags;
                } catch (ConstantPool.TooLarge large) {
                    changed = null;
                    left++;
                }
            }
            if (changed == null) {
                attributes.bytes(file, next, 6 + length);
            } else {
                attributes.u2(u2(next)).u4(changed.length).bytes(changed);
            }
            next += 6 + length;
        }
        out.u2(newFlags).bytes(file, place + 2, 6).bytes(attributes.toByteArray());
        return next;
    }

    /** Adds the hooks of a method. Returns whether it now takes its lock itself. */
    private boolean rewrite(CodeRewriter code, int flags, String method, String descriptor, int place) {
        boolean isStatic = (flags & STATIC) != 0;
        if (places != null) {
            boolean canTakeLock = isStatic ? version >= CLASS_CONSTANTS : !code.overwritesThis();
            return places.hooks(pool, name, source).add(code, flags, method, descriptor, lines(place), canTakeLock);
        }
        hooks.begin(code, method, descriptor, lines(place));
        SpecialMethods.add(hooks, name, isStatic);
        if (role == Roles.WHOLE) {
            if ((flags & (PUBLIC | STATIC)) == PUBLIC && !method.equals("<init>")) {
                hooks.whole();
            }
            return false;
        }
        if (role == Roles.NONE) {
            return false;
        }
        hooks.instructions();
        testHooks.add(code, method, descriptor, lines(place), !isStatic && !code.overwritesThis());
        boolean isSynchronized = (flags & SYNCHRONIZED) != 0;
        boolean hasLock = isStatic ? version >= CLASS_CONSTANTS : !code.overwritesThis();
        if (!isSynchronized || !hasLock) {
            return false;
        }
        boolean takesLock = role == Roles.PROGRAM;
        hooks.lock(isStatic, takesLock);
        return takesLock;
    }

    /** Returns the line of each index of the code. */
    private int[] lines(int place) {
        int length = Instructions.word(file, place + 4);
        int[] lines = new int[length + 1];
        int next = place + 8 + length;
        next += 2 + 8 * u2(next);
        int count = u2(next);
        next += 2;
        for (int i = 0; i < count; i++) {
            if (pool.text(u2(next)).equals(CodeRewriter.LINES)) {
                for (int j = 0; j < u2(next + 6); j++) {
                    lines[u2(next + 8 + 4 * j)] = u2(next + 10 + 4 * j);
                }
            }
            next += 6 + Instructions.word(file, next + 2);
        }
        for (int i = 1; i <= length; i++) {
            lines[i] = lines[i] == 0 ? lines[i - 1] : lines[i];
        }
        return lines;
    }
}
