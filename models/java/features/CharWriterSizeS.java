package features;

import java.io.CharArrayWriter;

/** The same with a method that holds the monitor. */
public class CharWriterSizeS {
    private final CharArrayWriter text = new CharArrayWriter();

    public void pair(int of) {
        synchronized (text) {
            text.write(of);
            text.write(of);
        }
    }

    public int size() { return text.toCharArray().length; }
}
