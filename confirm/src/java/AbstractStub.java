package asercheck.confirm;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;

/**
 * Subclasses of abstract classes, whose abstract methods answer with simple values. They are compiled into the folder
 * of the target, within the package of the class, so that its classes can be used.
 */
final class AbstractStub {
    private final Types types;
    /** The constructors by the class; empty if the subclass does not compile. */
    private final Map<Class<?>, List<Constructor<?>>> known = new HashMap<>();

    AbstractStub(Types types) {
        this.types = types;
    }

    /** Whether a subclass may compile. */
    static boolean isPossible(Class<?> type) {
        boolean isInner = type.isMemberClass() && !Modifier.isStatic(type.getModifiers());
        return Modifier.isAbstract(type.getModifiers()) && !type.isInterface() && !isInner && !type.isArray()
                && !type.isPrimitive() && !type.isEnum() && type.getCanonicalName() != null && isVisible(type)
                && !(ValuePrinter.isOfJava(type) && !Modifier.isPublic(type.getModifiers()));
    }

    private static boolean isVisible(Class<?> type) {
        for (Class<?> one = type; one != null; one = one.getDeclaringClass()) {
            if (Modifier.isPrivate(one.getModifiers())) {
                return false;
            }
        }
        return true;
    }

    /** Returns the constructors of the subclass, the one with the fewest parameters first. */
    List<Constructor<?>> constructors(Class<?> type) {
        List<Constructor<?>> all = known.get(type);
        if (all == null) {
            all = compiled(type);
            known.put(type, all);
        }
        return all;
    }

    private List<Constructor<?>> compiled(Class<?> type) {
        List<Constructor<?>> all = new ArrayList<>();
        String simple = "Stub_" + type.getName().replaceAll("[^A-Za-z0-9]", "_");
        String of = ValuePrinter.isOfJava(type) || type.getPackage() == null ? "asercheck.stubs"
                : type.getPackage().getName();
        String inPackage = of.isEmpty() ? "" : "package " + of + ";\n";
        try {
            File folder = new File(types.stubs(), of.replace('.', File.separatorChar));
            folder.mkdirs();
            File file = new File(folder, simple + ".java");
            String source = inPackage
                    + "@SuppressWarnings({\"unchecked\", \"rawtypes\"})\nfinal class " + simple + " extends "
                    + Names.of(type) + " {\n" + constructorSources(type, simple) + methods(type) + "}\n";
            Files.write(file.toPath(), source.getBytes(StandardCharsets.UTF_8));
            PrintStream messages = new PrintStream(OutputStream.nullOutputStream());
            boolean isDone = ToolProvider.findFirst("javac").map(javac -> javac.run(messages, messages, "-nowarn",
                    "-proc:none", "-cp", types.pathText(), "-d", types.stubs().getPath(),
                    file.getPath())).orElse(1) == 0;
            if (isDone) {
                String name = (of.isEmpty() ? "" : of + ".") + simple;
                all.addAll(Arrays.asList(types.load(name).getDeclaredConstructors()));
            }
        } catch (IOException | CreationException | LinkageError | RuntimeException failed) {
            all.clear();
        }
        all.sort(Comparator.<Constructor<?>>comparingInt(Constructor::getParameterCount)
                .thenComparing(Object::toString));
        return all;
    }

    private static String constructorSources(Class<?> type, String simple) {
        StringBuilder text = new StringBuilder();
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            boolean isHidden = ValuePrinter.isOfJava(type) && (constructor.getModifiers() & 5) == 0;
            if (!Modifier.isPrivate(constructor.getModifiers()) && !constructor.isSynthetic() && !isHidden) {
                text.append("    ").append(simple).append('(').append(parameters(constructor.getParameterTypes()))
                        .append(") throws Exception {\n        super(").append(names(constructor.getParameterCount()))
                        .append(");\n    }\n\n");
            }
        }
        return text.toString();
    }

    private static String parameters(Class<?>[] types) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < types.length; i++) {
            all.add(Names.of(types[i]) + " p" + i);
        }
        return String.join(", ", all);
    }

    private static String names(int count) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add("p" + i);
        }
        return String.join(", ", all);
    }

    /** Returns the methods of a subclass, as Java code. */
    static String methods(Class<?> type) {
        StringBuilder text = new StringBuilder();
        for (Method method : abstractMethods(type)) {
            String visible = Modifier.isPublic(method.getModifiers()) ? "public "
                    : Modifier.isProtected(method.getModifiers()) ? "protected " : "";
            text.append("    ").append(visible).append(Names.of(method.getReturnType())).append(' ')
                    .append(method.getName()).append('(').append(parameters(method.getParameterTypes()))
                    .append(") {\n");
            if (method.getReturnType() != void.class) {
                text.append("        return ").append(answer(method)).append(";\n");
            }
            text.append("    }\n\n");
        }
        return text.toString();
    }

    private static List<Method> abstractMethods(Class<?> type) {
        Map<String, Method> found = new LinkedHashMap<>();
        List<Class<?>> above = new ArrayList<>();
        for (Class<?> one = type; one != null; one = one.getSuperclass()) {
            above.add(one);
        }
        for (Class<?> one : above) {
            addAll(one, found);
        }
        for (Class<?> one : above) {
            Arrays.stream(one.getInterfaces()).forEach(of -> addInterfaces(of, found));
        }
        List<Method> all = new ArrayList<>();
        found.values().stream().filter(method -> Modifier.isAbstract(method.getModifiers())).forEach(all::add);
        all.sort(Comparator.comparing(Object::toString));
        return all;
    }

    private static void addInterfaces(Class<?> type, Map<String, Method> found) {
        addAll(type, found);
        Arrays.stream(type.getInterfaces()).forEach(of -> addInterfaces(of, found));
    }

    /** Adds the methods of a type that no class below it declares. */
    private static void addAll(Class<?> type, Map<String, Method> found) {
        for (Method method : type.getDeclaredMethods()) {
            boolean isFit = !Modifier.isStatic(method.getModifiers()) && !Modifier.isPrivate(method.getModifiers());
            if (isFit) {
                String key = method.getName() + Arrays.toString(method.getParameterTypes());
                Method known = found.get(key);
                boolean isDefault = known != null && Modifier.isAbstract(known.getModifiers()) && method.isDefault();
                if (known == null || isDefault) {
                    found.put(key, method);
                }
            }
        }
    }

    private static String answer(Method method) {
        Class<?> result = method.getReturnType();
        Class<?>[] given = method.getParameterTypes();
        if (result == boolean.class || result == Boolean.class) {
            return String.valueOf(!Stub.isNegative(method.getName()));
        }
        for (int i = 0; i < given.length; i++) {
            if (!result.isPrimitive() && result.isAssignableFrom(given[i])) {
                return "p" + i;
            }
        }
        if (result.isPrimitive()) {
            String number = method.getName().startsWith("read") ? "-1" : "0";
            return result == char.class ? "'a'" : "(" + result + ") " + number;
        }
        if (result == String.class || result == Object.class || result == CharSequence.class) {
            return "\"a\"";
        }
        if (result.isEnum() && result.getEnumConstants().length > 0) {
            return Names.of(result) + "." + ((Enum<?>) result.getEnumConstants()[0]).name();
        }
        if (result.isArray()) {
            return result.getComponentType().isArray() ? "null" : "new " + Names.of(result.getComponentType()) + "[0]";
        }
        return hasSimple(result) ? "new " + Names.of(result) + "()" : "null";
    }

    private static boolean hasSimple(Class<?> type) {
        boolean isInner = type.isMemberClass() && !Modifier.isStatic(type.getModifiers());
        boolean isMade = !Modifier.isAbstract(type.getModifiers()) && Modifier.isPublic(type.getModifiers())
                && !isInner;
        return isMade && Arrays.stream(type.getConstructors())
                .anyMatch(one -> one.getParameterCount() == 0 && one.getExceptionTypes().length == 0);
    }

    /** An object of the subclass of an abstract class. */
    static final class Made extends Expression {
        private final Expression.New made;
        private final Class<?> type;

        Made(Expression.New made, Class<?> type) {
            this.made = made;
            this.type = type;
        }

        /** The call of the constructor. */
        Expression.New call() {
            return made;
        }

        @Override
        Object value(Scope scope) throws Throwable {
            return made.value(scope);
        }

        @Override
        String text() {
            return "new " + type.getSimpleName() + "(" + Names.texts(made.arguments) + ") {}";
        }

        @Override
        String source() {
            return "new " + Names.of(type) + "(" + Names.sources(made.constructor, made.arguments, 0) + ") {\n"
                    + methods(type) + "}";
        }
    }
}
