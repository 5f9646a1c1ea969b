package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;
import java.util.stream.*;

/** The state is in a constant of an enum, which is found by its name. */
public class EnumByNameB {
    private enum Kind {
        ONLY;

        private int n;
    }

    public void add() {
        synchronized (Kind.ONLY) {
            Kind.ONLY.n++;
        }
    }

    public void bump() {
        Kind.valueOf("ONLY").n++;
    }
}
