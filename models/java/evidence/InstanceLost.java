package evidence;

/** Looks once: what another thread has installed is replaced. */
public class InstanceLost {
    private static InstanceLost instance;

    public static InstanceLost get() {
        if (instance == null) {
            synchronized (InstanceLost.class) {
                instance = new InstanceLost();
            }
        }
        return instance;
    }

    public static synchronized void install(InstanceLost other) {
        if (instance == null) {
            instance = other;
        }
    }
}
