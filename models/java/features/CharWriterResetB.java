package features;

import java.io.CharArrayWriter;

/** A writer of characters is emptied without its monitor. */
public class CharWriterResetB {
    private final CharArrayWriter text = new CharArrayWriter();

    public int pair(int of) {
        synchronized (text) {
            text.write(of);
            text.write(of);
            return text.toCharArray().length & 1;
        }
    }

    public void clear() { text.reset(); }
}
