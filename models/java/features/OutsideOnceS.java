package features;

import java.io.FilterOutputStream;
import java.io.OutputStream;

/** What a filter has from its constructor is read twice without a lock. */
public final class OutsideOnceS extends FilterOutputStream {
    public OutsideOnceS(OutputStream inner) {
        super(inner);
    }

    public boolean isOpen() {
        return out != null && out != OutputStream.nullOutputStream();
    }
}
