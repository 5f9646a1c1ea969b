package confirm;

/** Broken: a field becomes null between a test and its use. */
public final class UseAfterClose {
    private StringBuilder out = new StringBuilder();

    public void send(String text) {
        if (out != null) {
            out.append(text);
        }
    }

    public synchronized void close() {
        out = null;
    }

    public synchronized boolean isOpen() {
        return out != null;
    }
}
