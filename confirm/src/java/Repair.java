package asercheck.confirm;

import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The search for choices with which the objects of a client can be made. After a failure one choice changes: an
 * argument of the failing call, the keys of a map, an answer of a stub that was asked, whether properties are set, the
 * constructor, an argument of the arguments. A change stays if it leads to another failure than all before, or to other
 * questions to stubs before it; any other change is taken back.
 */
final class Repair {
    private static final Object[] NUMBERS = {16, 1, 2, 100, 0, 1000, 8, -1};
    private static final Object[] BOOLEANS = {1, 0};
    private static final String[] STRINGS = {"1", "http://localhost/", "a", "/a", "true", "a=b", "UTF-8",
            "java.lang.String"};
    private static final Object[] MAKERS = {new Maker(1), new Maker(2), Hints.NULL, new Maker(3)};
    /** Words of exceptions, and a text that may help. */
    private static final String[][] TEXTS = {{"NumberFormat", "1"}, {"For input string", "1"},
        {"MalformedURL", "http://localhost/"}, {"URISyntax", "http://localhost/"}, {"protocol", "http://localhost/"},
        {"scheme", "http://localhost/"}, {"irectory", "."}, {"folder", "."},
        {"MalformedObjectName", "a:b=c"}, {"ncoding", "UTF-8"}, {"harset", "UTF-8"},
        {"ClassNotFound", "java.lang.Object"}, {"NoSuchAlgorithm", "MD5"}, {"UnknownHost", "localhost"},
        {"lgorithm", "MD5"}, {"path", "/a"}, {"cron", "0 0 * * * ?"}, {"pattern", "* * * * *"}};
    /** Words of exceptions about a file that does not exist. */
    private static final String[] MISSING = {"FileNotFound", "NoSuchFile", "such file", "ot exist", "located",
            "ot a file", "regular file", "eadable"};
    private static final String[] ANSWERS = {"1", "100", "0", "16", "-1", "10000"};
    private static final int MAX_ASKED = 4;

    /** The number of a way to make an object, after the first one. */
    static final class Maker {
        final int number;

        Maker(int number) {
            this.number = number;
        }
    }


    private final Hints hints;
    private final ClientTypes types;
    /** The failures so far, as texts. */
    private final Set<String> seen = new HashSet<>();
    private final ArrayDeque<Hints.Change> pending = new ArrayDeque<>();
    private Hints.Change last;
    /** Takes back the last change; null if it stays. */
    private Hints.Change back;

    Repair(Hints hints, ClientTypes types) {
        this.hints = hints;
        this.types = types;
    }

    /**
     * Changes a choice after a failure of a client, which is null if the planner or a thread failed. Returns whether
     * there was a choice.
     */
    boolean next(Client client, Client.Failure failure) {
        List<String> asked = Stub.asked();
        // An object that is missing leads to other failures, which no other choice repairs.
        boolean isNull = back != null && (last.value == Hints.NULL || "null".equals(last.value));
        boolean isNew = failure != null && seen.add(signature(failure) + new TreeSet<>(asked));
        if (isNew && !isNull) {
            pending.clear();
            pending.addAll(changes(client, failure, asked));
            back = null;
        } else if (back != null) {
            hints.apply(back);
            back = null;
        }
        if (pending.isEmpty()) {
            return false;
        }
        last = pending.remove();
        back = hints.apply(last);
        return true;
    }

    private static String signature(Client.Failure failure) {
        return failure.step.expression.text().replaceAll("[0-9]+", "") + failure.thrown.getClass()
                + String.valueOf(failure.thrown.getMessage()).replaceAll("\"[^\"]*\"|[0-9]+", "");
    }

    private List<Hints.Change> changes(Client client, Client.Failure failure, List<String> methods) {
        Map<String, Expression> values = client.values();
        String message = failure.thrown + "";
        List<Hints.Change> own = arguments(failure.step.expression, message);
        List<Hints.Change> asked = answers(methods);
        List<Hints.Change> deep = new ArrayList<>();
        List<Expression> reached = reachable(parts(failure.step.expression), values);
        reached.forEach(inner -> deep.addAll(arguments(inner, message)));
        List<Hints.Change> properties = properties(reached);
        boolean isNull = failure.thrown instanceof NullPointerException
                || failure.thrown instanceof IllegalStateException;
        Set<Hints.Change> all = new LinkedHashSet<>();
        if (isNull) {
            all.addAll(first(properties, 2));
            all.addAll(first(asked, 3));
        }
        Set<Object> named = named(message);
        if (needsFile(message)) {
            named.add(JavaTypes.EXISTING);
        }
        Stream.concat(own.stream(), deep.stream()).filter(change -> named.contains(change.value)).limit(3)
                .forEach(all::add);
        List<Expression> calls = new ArrayList<>(reached);
        calls.add(0, failure.step.expression);
        all.addAll(new KeyChanges(hints, client.keys, values).of(calls, message));
        own.stream().filter(change -> !isMaker(change)).limit(8).forEach(all::add);
        all.addAll(first(asked, 6));
        all.addAll(first(own, 6));
        all.addAll(first(properties, 3));
        Executable maker = maker(failure.step.expression);
        if (maker != null) {
            all.add(new Hints.Change(maker.toString(), Hints.Change.BLOCK));
        }
        all.addAll(first(deep, 6));
        all.addAll(own);
        all.addAll(deep);
        return new ArrayList<>(all);
    }

    /** Returns the changes that set the properties of the objects that expressions make. */
    private static List<Hints.Change> properties(List<Expression> makers) {
        List<Hints.Change> all = new ArrayList<>();
        for (Expression one : makers) {
            Executable maker = maker(one);
            if (maker == null) {
                continue;
            }
            Class<?> type = maker instanceof Method ? ((Method) maker).getReturnType() : maker.getDeclaringClass();
            if (!Makers.setters(type).isEmpty() && !ValuePrinter.isOfJava(type)) {
                all.add(new Hints.Change(Hints.setters(type), Boolean.TRUE));
            }
        }
        return all;
    }

    /**
     * Returns the changes that set the properties of the arguments of each preparing call of a client that threw an
     * exception; calls whose arguments have no properties are left out.
     */
    static List<List<Hints.Change>> fillings(Client client) {
        Map<String, Expression> values = client.values();
        List<List<Hints.Change>> all = new ArrayList<>();
        for (Expression call : client.removed) {
            if (call instanceof Expression.Call) {
                all.add(properties(reachable(((Expression.Call) call).arguments, values)));
            }
        }
        all.removeIf(List::isEmpty);
        return all;
    }

    /** Whether a change selects another way to make an object. */
    private static boolean isMaker(Hints.Change change) {
        return change.value instanceof Maker || change.value == Hints.NULL;
    }

    private static List<Hints.Change> first(List<Hints.Change> all, int count) {
        return all.subList(0, Math.min(count, all.size()));
    }

    /** Returns the expressions of the variables that expressions are or use, the nearest first. */
    private static List<Expression> reachable(List<Expression> from, Map<String, Expression> values) {
        Set<Expression> found = new LinkedHashSet<>();
        ArrayDeque<Expression> queue = new ArrayDeque<>(from);
        while (!queue.isEmpty()) {
            Expression part = queue.remove();
            if (part instanceof Expression.Variable) {
                Expression value = values.get(((Expression.Variable) part).name);
                if (value != null && found.add(value)) {
                    queue.addAll(parts(value));
                }
            }
        }
        return new ArrayList<>(found);
    }

    private static List<Expression> parts(Expression of) {
        List<Expression> all = new ArrayList<>();
        if (of instanceof AbstractStub.Made) {
            return ((AbstractStub.Made) of).call().arguments;
        }
        if (of instanceof Expression.New) {
            return ((Expression.New) of).arguments;
        }
        if (of instanceof Expression.Call) {
            Expression.Call call = (Expression.Call) of;
            if (call.receiver != null) {
                all.add(call.receiver);
            }
            all.addAll(call.arguments);
        }
        return all;
    }

    /** Returns the constructor or method that an expression calls; null for other expressions. */
    static Executable maker(Expression of) {
        if (of instanceof AbstractStub.Made) {
            return ((AbstractStub.Made) of).call().constructor;
        }
        return of instanceof Expression.New ? ((Expression.New) of).constructor
                : of instanceof Expression.Call ? ((Expression.Call) of).method : null;
    }

    /** Returns other arguments of a call: the first other value of each parameter, then the second, and so on. */
    private List<Hints.Change> arguments(Expression of, String message) {
        Executable maker = maker(of);
        List<Hints.Change> all = new ArrayList<>();
        if (maker == null) {
            return all;
        }
        Class<?>[] parameters = maker.getParameterTypes();
        List<Object[]> values = new ArrayList<>();
        for (Class<?> parameter : parameters) {
            values.add(others(maker, parameter, message));
        }
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < parameters.length; i++) {
                if (round < values.get(i).length) {
                    all.add(new Hints.Change(Hints.place(maker, i), values.get(i)[round]));
                }
            }
        }
        return all;
    }

    private Object[] others(Executable maker, Class<?> parameter, String message) {
        if (parameter == boolean.class || parameter == Boolean.class) {
            return BOOLEANS;
        }
        if (parameter == String.class || parameter == Object.class || parameter == CharSequence.class) {
            return texts(maker, message);
        }
        boolean isBoxed = Number.class.isAssignableFrom(parameter) && ValuePrinter.isOfJava(parameter);
        return parameter.isPrimitive() || isBoxed ? NUMBERS : MAKERS;
    }

    private Object[] texts(Executable maker, String message) {
        Set<Object> all = named(message);
        Class<?> made = maker.getDeclaringClass();
        if ((made == java.io.File.class || made == java.nio.file.Paths.class) && needsFile(message)) {
            all.add(JavaTypes.EXISTING);
        }
        Constants constants = types.facts.constants(made);
        all.addAll(constants.strings.subList(0, Math.min(4, constants.strings.size())));
        all.addAll(Arrays.asList(STRINGS));
        all.add(Hints.NULL);
        return all.toArray();
    }

    /** Returns the texts that a message asks for. */
    static Set<Object> named(String message) {
        Set<Object> all = new LinkedHashSet<>();
        for (String[] row : TEXTS) {
            if (message.contains(row[0])) {
                all.add(row[1]);
            }
        }
        return all;
    }

    /** Whether a message asks for a file that exists. */
    private static boolean needsFile(String message) {
        return Arrays.stream(MISSING).anyMatch(message::contains);
    }

    /** Returns other answers of the stub methods that were asked last. */
    private static List<Hints.Change> answers(List<String> asked) {
        List<Hints.Change> all = new ArrayList<>();
        List<String> last = asked.subList(0, Math.min(MAX_ASKED, asked.size()));
        for (int round = 0; round < ANSWERS.length; round++) {
            for (String method : last) {
                int colon = method.lastIndexOf(':');
                String[] values = answersOf(method.substring(colon + 1));
                if (round < values.length) {
                    all.add(new Hints.Change(method.substring(0, colon), values[round]));
                }
            }
        }
        return all;
    }

    private static String[] answersOf(String type) {
        switch (type) {
            case "boolean":
            case "java.lang.Boolean":
                return new String[] {"false", "true"};
            case "java.lang.String":
            case "java.lang.Object":
                return new String[] {"1", "null", "http://localhost/", "/a"};
            case "int":
            case "long":
            case "short":
            case "byte":
            case "float":
            case "double":
            case "java.lang.Integer":
            case "java.lang.Long":
                return ANSWERS;
            default:
                return new String[] {"null"};
        }
    }
}
