package features;

import java.util.function.Consumer;

/** Code of a client gets an object that is not complete. */
public final class MadeForClient {
    private int n;

    public synchronized void grow() {
        n++;
    }

    public static MadeForClient make(Consumer<MadeForClient> register) {
        MadeForClient made = new MadeForClient();
        register.accept(made);
        made.n++;
        return made;
    }
}
