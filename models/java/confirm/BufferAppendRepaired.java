package confirm;

/** Repaired: two appends to a string buffer. */
public final class BufferAppendRepaired {
    private final StringBuffer buffer = new StringBuffer();

    public void line(String text) {
        buffer.append(text + ';');
    }

    public String all() {
        return buffer.toString();
    }
}
