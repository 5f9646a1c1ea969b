package asercheck.confirm;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.CodeSource;
import java.security.cert.Certificate;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Loads the classes of a client, rewritten. Each loader loads all classes again, with initial values of static fields;
 * the rewritten files are read once.
 */
final class SubjectLoader extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    /** The rewritten files with their origins, and the names of the library's classes to which they refer. */
    static class Files {
        private final Map<String, byte[]> rewritten = new ConcurrentHashMap<>();
        private final Map<String, URL> origins = new ConcurrentHashMap<>();
        final Set<String> referred = ConcurrentHashMap.newKeySet();
        /** The classes with hooks of tests; set before the first class is loaded. */
        volatile TestCode tests = TestCode.NONE;

        /** Rewrites a file; null if it stays as it is. */
        byte[] rewrite(byte[] file, String name) {
            return tests.isLeft(name) ? null : ClassRewriter.rewrite(file, false, referred, tests);
        }
    }

    private final Files files;

    /** Returns a loader that rewrites classes with some files; without them, it leaves classes as they are. */
    SubjectLoader(URL[] urls, Files files) {
        super(urls, ClassLoader.getPlatformClassLoader());
        this.files = files;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        Scheduler.Hook.off();
        try {
            return super.loadClass(name, resolve);
        } finally {
            Scheduler.Hook.on();
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (files == null) {
            return super.findClass(name);
        }
        String entry = name.replace('.', '/') + ".class";
        byte[] file = files.rewritten.get(entry);
        if (file == null) {
            URL url = findResource(entry);
            if (url == null) {
                throw new ClassNotFoundException(name);
            }
            file = read(url, name);
            files.origins.put(entry, origin(getURLs(), url));
            files.rewritten.put(entry, file);
        }
        CodeSource source = new CodeSource(files.origins.get(entry), (Certificate[]) null);
        return defineClass(name, file, 0, file.length, source);
    }

    /** Returns the entry of the class path from which a class comes. */
    private static URL origin(URL[] path, URL url) {
        for (URL one : path) {
            if (url.toString().contains(one.toString())) {
                return one;
            }
        }
        return url;
    }

    private byte[] read(URL url, String name) throws ClassNotFoundException {
        try (InputStream stream = url.openStream()) {
            byte[] file = stream.readAllBytes();
            byte[] rewritten = files.rewrite(file, name);
            return rewritten == null ? file : rewritten;
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }
}
