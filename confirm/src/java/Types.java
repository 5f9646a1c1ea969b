package asercheck.confirm;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/** The classes of the class path, for the planner. */
final class Types {
    /** The largest number of classes that are searched for implementations. */
    private static final int MAX_CLASSES = 4000;

    private final List<File> path;
    private final URL[] urls;
    private final File stubs;
    private final SubjectLoader.Files files = new SubjectLoader.Files();
    private final ClassLoader loader;
    private List<String> names;
    /** Top-level classes that are not listed. */
    private Set<String> hidden = Set.of();
    private final Map<Class<?>, List<Class<?>>> implementations = new LinkedHashMap<>();

    Types(List<File> path) throws MalformedURLException {
        this.path = path;
        stubs = new File("stubs").getAbsoluteFile();
        urls = new URL[path.size() + 1];
        for (int i = 0; i < path.size(); i++) {
            urls[i] = path.get(i).toURI().toURL();
        }
        // The folder may not exist yet.
        urls[path.size()] = new URL(stubs.toURI() + (stubs.isDirectory() ? "" : "/"));
        loader = new SubjectLoader(urls, null);
    }

    /** Returns a loader that loads all classes again, with initial values of static fields. */
    ClassLoader fresh() {
        return new SubjectLoader(urls, files);
    }

    /** The same, with other rewritten files. */
    ClassLoader fresh(SubjectLoader.Files rewritten) {
        return new SubjectLoader(urls, rewritten);
    }

    /** Hides the classes within some top-level classes from lists; before the first list. */
    void hide(Set<String> tops) {
        hidden = tops;
    }

    /** Adds hooks of tests to classes; before the first class is loaded. */
    void watch(TestCode tests) {
        files.tests = tests;
    }

    /** Adds hooks to the classes of the library to which the loaded classes refer. */
    void rewriteLibrary() {
        Rewriting.want(files.referred);
    }

    /** Returns the folder of classes that the planner compiles; it is part of the class path. */
    File stubs() {
        return stubs;
    }

    /** Returns the class path as an argument of the compiler. */
    String pathText() {
        List<String> all = new ArrayList<>();
        path.forEach(file -> all.add(file.getPath()));
        all.add(stubs.getPath());
        return String.join(File.pathSeparator, all);
    }

    Class<?> load(String name) throws CreationException {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError missing) {
            throw new CreationException("class " + name + " cannot be loaded: " + missing);
        }
    }

    /** Returns the instantiable subtypes of a type in the class path; public ones first. */
    List<Class<?>> implementations(Class<?> type) {
        List<Class<?>> known = implementations.get(type);
        if (known != null) {
            return known;
        }
        List<Class<?>> found = new ArrayList<>();
        for (String name : names()) {
            Class<?> one = loadOrNull(name);
            if (one != null && one != type && type.isAssignableFrom(one) && isInstantiable(one)) {
                found.add(one);
            }
        }
        found.sort((a, b) -> Integer.compare(hidden(a), hidden(b)));
        implementations.put(type, found);
        return found;
    }

    private static boolean isInstantiable(Class<?> type) {
        try {
            return !type.isInterface() && !Modifier.isAbstract(type.getModifiers()) && !type.isSynthetic()
                    && !type.isAnonymousClass();
        } catch (LinkageError missing) {
            return false;
        }
    }

    private static int hidden(Class<?> type) {
        return Modifier.isPublic(type.getModifiers()) ? 0 : 1;
    }

    private Class<?> loadOrNull(String name) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError missing) {
            return null;
        }
    }

    /** Returns the content of a file of the class path; null if there is none. */
    InputStream file(String name) {
        return loader.getResourceAsStream(name);
    }

    /** Returns the names of the classes. */
    List<String> names() {
        if (names == null) {
            TreeSet<String> all = new TreeSet<>();
            for (File file : path) {
                all.addAll(names(file));
            }
            all.removeIf(name -> hidden.contains(TestCode.top(name)));
            names = all.stream().limit(MAX_CLASSES).collect(Collectors.toList());
        }
        return names;
    }

    /** Returns the names of the classes in an archive or folder. */
    static List<String> names(File file) {
        try {
            if (!file.isDirectory()) {
                try (ZipFile zip = new ZipFile(file)) {
                    return zip.stream().map(entry -> entry.getName()).filter(Types::isClass).map(Types::name)
                            .collect(Collectors.toList());
                }
            }
            Path root = file.toPath();
            try (Stream<Path> all = Files.walk(root)) {
                return all.map(one -> root.relativize(one).toString().replace(File.separatorChar, '/'))
                        .filter(Types::isClass).map(Types::name).collect(Collectors.toList());
            }
        } catch (IOException unreadable) {
            return Collections.emptyList();
        }
    }

    private static boolean isClass(String entry) {
        return entry.endsWith(".class") && !entry.endsWith("-info.class") && !entry.startsWith("META-INF");
    }

    private static String name(String entry) {
        return entry.substring(0, entry.length() - ".class".length()).replace('/', '.');
    }
}
