package effect;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A session may end between the test and its use. */
public class Sessions {
    private final Map<String, String> sessions = new ConcurrentHashMap<>();

    public void open(String user, String session) {
        sessions.put(user, session);
    }

    public void close(String user) {
        sessions.remove(user);
    }

    public int length(String user) {
        return sessions.containsKey(user) ? sessions.get(user).length() : 0;
    }
}
