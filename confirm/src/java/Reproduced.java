package asercheck.confirm;

import java.lang.reflect.InvocationTargetException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/** A client that was written as a class: its methods are those of {@link Work}, with questions as functions. */
final class Reproduced implements Work {
    private final Object client;
    private final Class<?> type;

    Reproduced(Class<?> type) throws ReflectiveOperationException {
        this.type = type;
        client = type.getDeclaredConstructor().newInstance();
    }

    private Object invoke(String name, Class<?>[] types, Object... given) throws Throwable {
        java.lang.reflect.Method method = type.getMethod(name, types);
        try {
            return method.invoke(client, given);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    @Override
    public void prepare() throws Throwable {
        invoke("prepare", new Class<?>[0]);
    }

    @Override
    public int calls(int side) {
        try {
            return (Integer) invoke("calls", new Class<?>[] {int.class}, side);
        } catch (Throwable thrown) {
            throw new IllegalStateException(thrown);
        }
    }

    @Override
    public Object call(int side, int number) throws Throwable {
        return invoke("call", new Class<?>[] {int.class, int.class}, side, number);
    }

    private Map<?, ?> questions() {
        try {
            return new LinkedHashMap<>((Map<?, ?>) invoke("questions", new Class<?>[0]));
        } catch (Throwable thrown) {
            throw new IllegalStateException(thrown);
        }
    }

    @Override
    public void number(Show show) {
        questions().forEach((question, answer) -> {
            if (((String) question).indexOf('(') < 0) {
                show.number(Questioned.value((Callable<?>) answer));
            }
        });
    }

    @Override
    public void observe(Show show, Map<String, String> outcome) {
        questions().forEach((question, answer) -> Questioned.either(show, outcome, (String) question, (Callable<?>) answer));
    }
}
