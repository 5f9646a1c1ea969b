package part;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which map the field holds depends on a condition, so that it does not claim to be safe for threads. */
public class Joined {
    private final Map<String, String> map;

    public Joined(boolean isShared) {
        Map<String, String> made = new HashMap<>();
        if (isShared) {
            made = new ConcurrentHashMap<>();
        }
        map = made;
    }

    public void put(String key, String value) {
        map.put(key, value);
    }

    /** The same where a value waits on the stack: the map is made on one of two ways. */
    public static class OnStack {
        private final Map<String, String> map;

        public OnStack(boolean isShared) {
            map = isShared ? new HashMap<>() : new ConcurrentHashMap<>();
        }

        public void put(String key, String value) {
            map.put(key, value);
        }
    }

    /** Here it is certain. */
    public static class Certain {
        private final Map<String, String> map;

        public Certain() {
            Map<String, String> made = new ConcurrentHashMap<>();
            map = made;
        }

        public void put(String key, String value) {
            map.put(key, value);
        }
    }
}
