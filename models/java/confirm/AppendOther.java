package confirm;

/** Broken: the length of an argument is stale. */
public final class AppendOther {
    private final StringBuilder text = new StringBuilder();

    public void append(AppendOther other) {
        int length = other.length();
        for (int i = 0; i < length; i++) {
            add(other.at(i));
        }
    }

    public synchronized void add(char c) {
        text.append(c);
    }

    public synchronized void addAll(String all) {
        text.append(all);
    }

    public synchronized char at(int place) {
        return text.charAt(place);
    }

    public synchronized int length() {
        return text.length();
    }

    public synchronized void clear() {
        text.setLength(0);
    }

    public synchronized String all() {
        return text.toString();
    }
}
