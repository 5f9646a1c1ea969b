package features;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;

/** A method that a reader inherits reads again and again. */
public class ReaderRestB {
    private final StringReader text;
    private volatile boolean isOpen;

    public ReaderRestB(String text) {
        this.text = new StringReader(text);
        isOpen = true;
    }

    public int next() throws IOException {
        return text.read();
    }

    public String rest() throws IOException {
        StringWriter found = new StringWriter();
        text.transferTo(found);
        return found.toString();
    }
}
