package objects;

import java.nio.charset.Charset;
import java.util.Map;

/** Correct: an object that needs one key, and checks the values of others. */
public final class NeedsSomeKeysRepaired {
    private volatile int last;
    private final String name;
    private final Charset charset;
    private final Class<?> type;

    public NeedsSomeKeysRepaired(Map<String, String> options) throws ClassNotFoundException {
        charset = options.containsKey("charset") ? Charset.forName(options.get("charset")) : null;
        type = options.containsKey("type") ? Class.forName(options.get("type") + ".Type") : null;
        name = options.get("name");
        if (name == null) {
            throw new IllegalArgumentException("the name is missing");
        }
    }

    public synchronized int next() {
        return ++last;
    }

    @Override
    public String toString() {
        return name + " " + charset + " " + type;
    }
}
