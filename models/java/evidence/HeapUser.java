package evidence;

import java.util.Collection;

/** Looks at what it is given. */
public final class HeapUser {
    private HeapUser() {}

    public static boolean exists(Collection<?> all) {
        for (Object one : all) {
            if (one == null) {
                return true;
            }
        }
        return false;
    }
}
