package features;

import java.io.CharArrayWriter;

/** The size of a writer of characters is read without its monitor. */
public class CharWriterSizeB {
    private final CharArrayWriter text = new CharArrayWriter();

    public void pair(int of) {
        synchronized (text) {
            text.write(of);
            text.write(of);
        }
    }

    public int size() { return text.size(); }
}
