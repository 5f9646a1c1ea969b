package asercheck.confirm;

import java.lang.reflect.InvocationTargetException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/** A client that is a compiled class, from {@link ClientSource}. */
final class CompiledClient implements RunnableClient {
    private final Object client;
    private final Class<?> type;

    CompiledClient(Class<?> type) throws ReflectiveOperationException {
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

    private Map<?, ?> observations() {
        try {
            return new LinkedHashMap<>((Map<?, ?>) invoke("observations", new Class<?>[0]));
        } catch (Throwable thrown) {
            throw new IllegalStateException(thrown);
        }
    }

    @Override
    public void number(ValuePrinter printer) {
        observations().forEach((name, value) -> {
            if (((String) name).indexOf('(') < 0) {
                printer.number(Observations.value((Callable<?>) value));
            }
        });
    }

    @Override
    public void observe(ValuePrinter printer, Map<String, String> outcome) {
        observations().forEach(
                (name, value) -> Observations.either(printer, outcome, (String) name, (Callable<?>) value));
    }
}
