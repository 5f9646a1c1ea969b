package asercheck.confirm;

import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/** The classes of the class path, for the planner. */
final class Types {
    /** The largest number of classes that are searched for implementations. */
    private static final int MAX_CLASSES = 4000;
    private static final int MAX_STRINGS = 12;

    private final List<File> path;
    private final URL[] urls;
    private final ClassLoader loader;
    private List<String> names;
    private final Map<Class<?>, List<Class<?>>> implementations = new LinkedHashMap<>();

    Types(List<File> path) throws MalformedURLException {
        this.path = path;
        urls = new URL[path.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = path.get(i).toURI().toURL();
        }
        loader = fresh();
    }

    /** Returns a loader that loads all classes again, with initial values of static fields. */
    ClassLoader fresh() {
        return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
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
            boolean fits = one != null && one != type && type.isAssignableFrom(one) && !one.isInterface();
            if (fits && !Modifier.isAbstract(one.getModifiers()) && !one.isAnonymousClass() && !one.isSynthetic()) {
                found.add(one);
            }
        }
        found.sort((a, b) -> Integer.compare(hidden(a), hidden(b)));
        implementations.put(type, found);
        return found;
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

    private List<String> names() {
        if (names == null) {
            TreeSet<String> all = new TreeSet<>();
            for (File file : path) {
                all.addAll(names(file));
            }
            names = all.stream().limit(MAX_CLASSES).collect(Collectors.toList());
        }
        return names;
    }

    private static List<String> names(File file) {
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

    /** Returns short string constants of a class. */
    List<String> strings(Class<?> type) {
        String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
        try (InputStream stream = type.getResourceAsStream(file)) {
            return stream == null ? Collections.emptyList() : strings(new DataInputStream(stream));
        } catch (IOException unreadable) {
            return Collections.emptyList();
        }
    }

    private static List<String> strings(DataInputStream in) throws IOException {
        in.readLong();
        int count = in.readUnsignedShort();
        String[] texts = new String[count];
        List<Integer> used = new ArrayList<>();
        for (int i = 1; i < count; i++) {
            int tag = in.readUnsignedByte();
            if (tag == 1) {
                texts[i] = in.readUTF();
            } else if (tag == 8) {
                used.add(in.readUnsignedShort());
            } else if (tag == 5 || tag == 6) {
                in.readLong();
                i++;
            } else {
                in.readFully(new byte[tag == 15 ? 3 : tag == 7 || tag == 16 || tag == 19 || tag == 20 ? 2 : 4]);
            }
        }
        return used.stream().map(i -> texts[i]).filter(Types::isShort).limit(MAX_STRINGS).collect(Collectors.toList());
    }

    private static boolean isShort(String text) {
        return text != null && text.length() <= 16 && text.chars().allMatch(c -> c >= ' ' && c < 127);
    }
}
