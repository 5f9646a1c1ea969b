package client;

/** Holds its own monitor, but lets go of the argument's between two calls. */
public class Append {
    private char[] text = new char[64];
    private int length;

    public synchronized int length() {
        return length;
    }

    public synchronized char charAt(int index) {
        return text[index];
    }

    public synchronized void append(Append other) {
        int count = other.length();
        for (int index = 0; index < count; index++) {
            text[length++] = other.charAt(index);
        }
    }
}
