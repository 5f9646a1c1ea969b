package asercheck.confirm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The factory methods that the user has written: the accessible static methods of the classes that the file
 * {@link #INDEX} of the class path names.
 */
final class Factories {
    /** The file with the names of the classes, one in each line. */
    static final String INDEX = "META-INF/asercheck-clients";

    private final Types types;
    private List<Method> all;

    Factories(Types types) {
        this.types = types;
    }

    /** Returns the methods that return a type, or a class below it. */
    List<Method> of(Class<?> type) {
        List<Method> fit = new ArrayList<>();
        for (Method method : all()) {
            if (type != Object.class && type.isAssignableFrom(method.getReturnType())) {
                fit.add(method);
            }
        }
        return fit;
    }

    /** Whether a method is one of them. */
    boolean has(Method method) {
        return all().contains(method);
    }

    private List<Method> all() {
        if (all == null) {
            all = new ArrayList<>();
            try (InputStream stream = types.file(INDEX)) {
                if (stream != null) {
                    read(new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8)));
                }
            } catch (IOException unreadable) {
                all.clear();
            }
            all.sort(Comparator.comparing(Object::toString));
        }
        return all;
    }

    private void read(BufferedReader in) throws IOException {
        for (String name = in.readLine(); name != null; name = in.readLine()) {
            try {
                for (Method method : types.load(name).getDeclaredMethods()) {
                    boolean isFactory = Modifier.isStatic(method.getModifiers()) && !method.isSynthetic()
                            && !Modifier.isPrivate(method.getModifiers()) && !method.getReturnType().isPrimitive();
                    if (isFactory) {
                        all.add(method);
                    }
                }
            } catch (CreationException | LinkageError missing) {
                continue;
            }
        }
    }
}
