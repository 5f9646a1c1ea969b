package confirm;

/** Repaired: the length of an argument is stale. */
public final class AppendOtherRepaired {
    private final StringBuilder text = new StringBuilder();

    public void append(AppendOtherRepaired other) {
        String all = other.all();
        addAll(all);
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
