package asercheck.confirm;

import java.util.Map;
import java.util.concurrent.Callable;

/** What a client can tell afterwards, added to an outcome. */
final class Questioned {
    private Questioned() {}

    /** A variable of the client; of a function, what was called on it. */
    static void variable(Show show, Map<String, String> outcome, String name, Object value) {
        show.remember(name, value);
        String calls = RecordingProxy.calls(value);
        outcome.put(name, calls == null ? show.of(value) : "called " + calls);
    }

    /** The value of a variable, whose name has no parenthesis; or the answer to a question. */
    static void either(Show show, Map<String, String> outcome, String question, Callable<?> call) {
        if (question.indexOf('(') >= 0) {
            ask(show, outcome, question, call);
            return;
        }
        variable(show, outcome, question, value(call));
    }

    /** The value of a variable. */
    static Object value(Callable<?> variable) {
        try {
            return variable.call();
        } catch (Exception thrown) {
            throw new IllegalStateException(thrown);
        }
    }

    /** The answer to a question. */
    static void ask(Show show, Map<String, String> outcome, String question, Callable<?> call) {
        String text;
        try {
            Object value = call.call();
            show.remember(question, value);
            text = show.of(value);
        } catch (Throwable thrown) {
            text = show.threw(thrown);
        }
        outcome.put(question, text);
    }
}
