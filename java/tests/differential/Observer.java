package differential;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Calls one method with one argument list and records observations. */
final class Observer {
    private final Executable of;
    private final Receivers.Receiver from;
    private final List<Supplier<Object>> makers;
    final Set<String> facts = new TreeSet<>();

    private Object receiver;
    private Object[] arguments;
    private Log log;
    private List<List<Object>> before;

    Observer(Executable of, Receivers.Receiver from, List<Supplier<Object>> makers) {
        this.of = of;
        this.from = from;
        this.makers = makers;
    }

    /** All observations of this call. */
    void observe() throws Exception {
        if (!prepare()) {
            return;
        }
        Object result = null;
        try {
            result = call();
        } catch (InvocationTargetException thrown) {
            Log.off();
            noteEvents("calls");
            noteChanges();
            noteThrown(thrown.getCause());
            return;
        }
        settle();
        Log.off();
        noteEvents("calls");
        noteChanges();
        noteResult(result);
        noteLater(result);
        noteViews();
        noteReads();
    }

    private boolean prepare() throws Exception {
        Log.off();
        Receivers.Made made = from == null ? new Receivers.Made(null, List.of()) : from.make().call();
        receiver = made.object();
        arguments = makers.stream().map(Supplier::get).toArray();
        log = Log.begin();
        log.isFor(receiver);
        parts(receiver, "this", made.kept());
        for (int index = 0; index < arguments.length; index++) {
            parts(arguments[index], String.valueOf(index + 1), List.of());
        }
        before = contents();
        log.take();
        return true;
    }

    private void parts(Object object, String name, List<Object> kept) {
        log.plays(object, name);
        List<Object> content = Contents.of(object);
        for (Object held : content == null ? List.of() : content) {
            if (isItem(held)) {
                log.plays(held, name + "[]");
            }
            if (held instanceof java.util.Map.Entry<?, ?> || held instanceof java.util.concurrent.CompletableFuture) {
                parts(held, name + "[]", List.of());
            }
        }
        kept.forEach(function -> log.plays(function, name + "[]"));
    }

    /** Whether an object is an item, that is, not a value whose identity is irrelevant, such as a number or text. */
    private static boolean isItem(Object object) {
        boolean isValue = object instanceof Number || object instanceof CharSequence && !(object instanceof Bag.AsText)
            || object instanceof Boolean || object instanceof Character || object instanceof Class
            || object instanceof java.util.regex.Pattern || object instanceof java.util.Locale;
        return object != null && !isValue;
    }

    private Object call() throws Exception {
        if (of instanceof Constructor<?> constructor) {
            receiver = constructor.newInstance(arguments);
            return null;
        }
        return ((Method) of).invoke(receiver, arguments);
    }

    /** Waits a little for other threads. */
    private void settle() throws InterruptedException {
        boolean hasFunctions = false;
        for (Object argument : arguments) {
            hasFunctions |= argument != null && java.lang.reflect.Proxy.isProxyClass(argument.getClass());
        }
        boolean isOfThreads = of.getDeclaringClass().getName().contains("concurrent")
            || of.getDeclaringClass().getName().contains("Thread") || of.getDeclaringClass().getName().contains("Timer");
        if (hasFunctions && isOfThreads || of.getDeclaringClass() == Thread.class) {
            Thread.sleep(5);
        }
    }

    private List<List<Object>> contents() {
        List<List<Object>> all = new ArrayList<>();
        all.add(of instanceof Constructor ? null : Contents.of(receiver));
        for (Object argument : arguments) {
            all.add(Contents.of(argument));
        }
        return all;
    }

    private void noteEvents(String what) {
        java.util.Map<String, Integer> often = new java.util.TreeMap<>();
        for (Log.Event event : log.take()) {
            String roles = event.roles().isEmpty() ? "any" : String.join(",", event.roles());
            String fact = what + "\t" + event.method() + "\t" + roles;
            facts.add(fact + "\t" + (event.onOther() ? "other" : "now"));
            often.merge(fact, 1, Integer::sum);
            if (what.equals("calls") && !event.isLocked() && !(of instanceof Constructor)) {
                facts.add("unlocked\t" + event.method());
            }
        }
        if (what.equals("calls")) {
            often.forEach((fact, number) -> {
                if (number > 1) {
                    facts.add("often" + fact.substring("calls".length()));
                }
            });
        }
    }

    private static String name(int index) {
        return index == 0 ? "this" : String.valueOf(index);
    }

    private void noteChanges() {
        List<List<Object>> after = contents();
        if (of instanceof Constructor) {
            after.set(0, Contents.of(receiver));
        }
        for (int index = 0; index < after.size(); index++) {
            List<Object> now = after.get(index);
            List<Object> then = before.get(index);
            if (now == null || Contents.same(then, now)) {
                continue;
            }
            if (then != null) {
                facts.add("writes\t" + name(index));
            }
            Set<Object> old = Collections.newSetFromMap(new java.util.IdentityHashMap<>());
            old.addAll(then == null ? List.of() : then);
            for (Object held : now) {
                if (isItem(held) && !old.contains(held)) {
                    String roles = roles(held);
                    facts.add("keeps\t" + roles + "\t" + name(index));
                }
            }
        }
    }

    private String roles(Object object) {
        Set<String> roles = log.rolesOf(object);
        return roles.isEmpty() ? "new" : String.join(",", roles);
    }

    private void noteThrown(Throwable thrown) {
        boolean isMeant = thrown instanceof IndexOutOfBoundsException || thrown instanceof IllegalStateException
            || thrown instanceof IllegalArgumentException || thrown instanceof UnsupportedOperationException
            || thrown instanceof java.util.NoSuchElementException || thrown instanceof java.nio.BufferOverflowException
            || thrown instanceof java.nio.BufferUnderflowException || thrown instanceof IllegalMonitorStateException
            || thrown instanceof NegativeArraySizeException || thrown instanceof java.io.IOException;
        boolean isOfFunction = thrown.getStackTrace().length > 0
            && thrown.getStackTrace()[0].getClassName().startsWith("differential.");
        boolean isUnchanged = facts.stream().noneMatch(fact -> fact.startsWith("writes"));
        if (isMeant && !isOfFunction && isUnchanged) {
            facts.add("throws");
        }
    }

    private void noteResult(Object result) {
        if (of instanceof Constructor || ((Method) of).getReturnType().isPrimitive()) {
            return;
        }
        if (result == null) {
            facts.add("result\tnull");
            return;
        }
        facts.add("result\t" + (isItem(result) ? roles(result) : "value"));
        List<Object> content = Contents.of(result);
        if (content != null && log.rolesOf(result).isEmpty()) {
            content.stream().filter(Observer::isItem).forEach(this::noteHeld);
        }
    }

    private void noteHeld(Object held) {
        String roles = roles(held);
        if (!roles.equals("new")) {
            facts.add("holds\t" + roles);
        } else if (held instanceof java.util.Map.Entry<?, ?> entry) {
            noteHeld(entry.getKey());
            noteHeld(entry.getValue());
        }
    }

    /** Observes uses of the result and the receiver. */
    private void noteLater(Object result) {
        Log.on(log);
        List<Object> found = new ArrayList<>();
        try {
            Uses.use(result, found);
            if (of instanceof Constructor) {
                Uses.use(receiver, found);
            }
        } catch (Throwable thrown) {
            // The object does not support this use.
        }
        Log.off();
        for (Log.Event event : log.take()) {
            boolean isFunction = event.roles().stream().anyMatch(role -> role.matches("[0-9]+"));
            if (isFunction) {
                facts.add("later\t" + event.method() + "\t" + String.join(",", event.roles()));
            }
        }
        if (result != null && log.rolesOf(result).isEmpty()) {
            found.stream().filter(Observer::isItem).forEach(this::noteHeld);
        }
    }

    /** Whether changes of the receiver or an argument are visible in the result, or vice versa. */
    private void noteViews() throws Exception {
        if (of instanceof Constructor || ((Method) of).getReturnType().isPrimitive()) {
            return;
        }
        for (int index = 0; index <= makers.size(); index++) {
            prepare();
            Log.off();
            Object result = Log.silently(this::call);
            Object base = index == 0 ? receiver : arguments[index - 1];
            if (result == null || base == null || result == base) {
                continue;
            }
            boolean isShown = Uses.showsChange(base, result) || Uses.showsChange(result, base);
            if (isShown) {
                facts.add("views\t" + name(index));
            }
        }
    }

    /** Whether the result depends on the receiver's content. */
    private void noteReads() throws Exception {
        if (of instanceof Constructor || Modifier.isStatic(of.getModifiers())) {
            return;
        }
        prepare();
        Log.off();
        String first = Uses.signature(Log.silently(this::call));
        prepare();
        Log.off();
        // The identity differs each time.
        if (!first.equals(Uses.signature(Log.silently(this::call)))) {
            return;
        }
        prepare();
        Log.off();
        if (!Uses.empties(receiver)) {
            return;
        }
        if (!first.equals(Uses.signature(Log.silently(this::call)))) {
            facts.add("reads\tthis");
        }
    }
}
