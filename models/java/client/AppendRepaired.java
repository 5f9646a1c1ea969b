package client;

/** Holds both monitors as long as it takes. */
public class AppendRepaired {
    private char[] text = new char[64];
    private int length;

    public synchronized int length() {
        return length;
    }

    public synchronized char charAt(int index) {
        return text[index];
    }

    public synchronized void append(AppendRepaired other) {
        synchronized (other) {
            int count = other.length();
            for (int index = 0; index < count; index++) {
                text[length++] = other.charAt(index);
            }
        }
    }
}
