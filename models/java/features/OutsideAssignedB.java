package features;

import java.io.FilterOutputStream;
import java.io.OutputStream;

/** What a filter has from its constructor is set again, and read twice without a lock. */
public final class OutsideAssignedB extends FilterOutputStream {
    public OutsideAssignedB(OutputStream inner) {
        super(inner);
    }

    public synchronized void open(OutputStream other) {
        out = other;
    }

    public boolean isOpen() {
        OutputStream first = out;
        OutputStream second = out;
        return first == second;
    }
}
