package asercheck.confirm;

import java.util.Map;
import java.util.concurrent.Callable;

/** Observations of a client after its calls, which are added to an outcome. */
final class Observations {
    private Observations() {}

    /** Adds the value of a variable. */
    static void variable(ValuePrinter printer, Map<String, String> outcome, String name, Object value) {
        printer.remember(name, value);
        outcome.put(name, printer.of(value));
    }

    /** Adds the value of a variable, whose name has no parenthesis, or the result of an observer call. */
    static void either(ValuePrinter printer, Map<String, String> outcome, String name, Callable<?> call) {
        if (name.indexOf('(') >= 0) {
            call(printer, outcome, name, call);
            return;
        }
        variable(printer, outcome, name, value(call));
    }

    /** Returns the value of a variable. */
    static Object value(Callable<?> variable) {
        try {
            return variable.call();
        } catch (Exception thrown) {
            throw new IllegalStateException(thrown);
        }
    }

    /** Adds the result or the exception of an observer call. */
    static void call(ValuePrinter printer, Map<String, String> outcome, String name, Callable<?> call) {
        String text;
        try {
            Object value = call.call();
            printer.remember(name, value);
            text = printer.of(value);
        } catch (Throwable thrown) {
            text = printer.threw(thrown);
        }
        outcome.put(name, text);
    }
}
