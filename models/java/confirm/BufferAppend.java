package confirm;

/** Broken: two appends to a string buffer. */
public final class BufferAppend {
    private final StringBuffer buffer = new StringBuffer();

    public void line(String text) {
        buffer.append(text);
        buffer.append(';');
    }

    public String all() {
        return buffer.toString();
    }
}
