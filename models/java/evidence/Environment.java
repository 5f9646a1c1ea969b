package evidence;

/** What makes the value is protected, and called under the lock only. */
public class Environment {
    private Object value;

    public synchronized Object get() {
        if (value == null) {
            value = make();
        }
        return value;
    }

    public synchronized void forget() {
        value = null;
    }

    protected Object make() {
        if (value == null) {
            value = new Object();
        }
        return value;
    }
}
