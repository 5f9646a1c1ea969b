package evidence;

/** Looks twice before it makes the instance, and another method may give one. */
public class Instance {
    private static Instance instance;

    public static Instance get() {
        if (instance == null) {
            synchronized (Instance.class) {
                if (instance == null) {
                    instance = new Instance();
                }
            }
        }
        return instance;
    }

    public static synchronized void install(Instance other) {
        if (instance == null) {
            instance = other;
        }
    }
}
