package asercheck.confirm;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Rewrites classes of the library in the target. Only those are changed to which a class of the program refers, or a
 * rewritten class of the library; the others run as fast as before. The archive of the target's classes is an agent,
 * and also a part of the library's class path, so that the library can call the hooks.
 */
final class Rewriting {
    private static volatile Instrumentation instrumentation;
    /** The classes of the library that are rewritten, or will be when they are loaded. */
    private static final Set<String> done = ConcurrentHashMap.newKeySet();
    /** Classes to which rewritten classes refer. */
    private static final Set<String> referred = ConcurrentHashMap.newKeySet();

    private Rewriting() {}

    /** The entry of the agent. */
    public static final class Agent {
        private Agent() {}

        public static void premain(String argument, Instrumentation given) {
            instrumentation = given;
        }
    }

    private static final class Transformer implements ClassFileTransformer {
        @Override
        public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain,
                byte[] file) {
            if (name == null || loader instanceof SubjectLoader || loader == ClassLoader.getSystemClassLoader()) {
                return null;
            }
            boolean isOfLibrary = loader == null || loader == ClassLoader.getPlatformClassLoader();
            if (isOfLibrary && !done.contains(name) && !SpecialMethods.has(name)) {
                return null;
            }
            // The class may be loaded by a thread with a schedule.
            Scheduler.Hook.off();
            try {
                return ClassRewriter.rewrite(file, isOfLibrary, done.contains(name) ? referred : null);
            } catch (RuntimeException damaged) {
                return null;
            } finally {
                Scheduler.Hook.on();
            }
        }
    }

    /** Rewrites the special methods of the library. */
    static void begin() throws IOException {
        loadRewriter();
        instrumentation.addTransformer(new Transformer(), true);
        List<Class<?>> all = new ArrayList<>();
        for (Class<?> type : instrumentation.getInitiatedClasses(null)) {
            if (SpecialMethods.has(type.getName().replace('.', '/'))) {
                all.add(type);
            }
        }
        retransform(all);
        referred.clear();
    }

    /** Rewrites a class for practice, because the rewriter must not be loaded while a class is loaded. */
    private static void loadRewriter() throws IOException {
        String name = Side.class.getName().replace('.', '/') + ".class";
        try (InputStream file = ClassLoader.getSystemResourceAsStream(name)) {
            ClassRewriter.rewrite(file.readAllBytes(), false, new HashSet<>());
        }
        SpecialMethods.has("");
    }

    /** Rewrites the classes of the library to which the program refers, and those to which they refer. */
    static void want(Set<String> names) {
        names.removeIf(done::contains);
        referred.addAll(names);
        while (!referred.isEmpty()) {
            Set<String> wanted = new HashSet<>();
            for (String name : referred) {
                if (Roles.of(name, true) != Roles.NONE && done.add(name)) {
                    wanted.add(name.replace('/', '.'));
                }
            }
            referred.clear();
            if (wanted.isEmpty()) {
                return;
            }
            List<Class<?>> all = new ArrayList<>();
            for (Class<?> type : instrumentation.getInitiatedClasses(null)) {
                if (wanted.contains(type.getName())) {
                    all.add(type);
                }
            }
            retransform(all);
        }
    }

    private static void retransform(List<Class<?>> all) {
        all.removeIf(type -> !instrumentation.isModifiableClass(type));
        if (all.isEmpty()) {
            return;
        }
        try {
            instrumentation.retransformClasses(all.toArray(new Class<?>[0]));
        } catch (UnmodifiableClassException | LinkageError refused) {
            // Without hooks in them, fewer schedules are distinguished.
            return;
        }
    }
}
