package features;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** The methods that an inherited one calls are synchronized. */
public final class InheritedDelegateS extends FilterOutputStream {
    private int count;

    public InheritedDelegateS(OutputStream inner) {
        super(inner);
    }

    @Override
    public synchronized void write(int one) throws IOException {
        count++;
    }

    @Override
    public synchronized void write(byte[] some, int from, int length) throws IOException {
        count += length;
    }

    @Override
    public synchronized void flush() {
        count = 0;
    }

    @Override
    public synchronized void close() {
        count = -1;
    }
}
