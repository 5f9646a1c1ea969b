package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;
import java.util.stream.*;

/** The same, with the lock everywhere. */
public class HolderStaticS {
    private static final class Holder {
        static final int[] COUNT = new int[1];
    }

    public static int count() {
        synchronized (Holder.class) {
            return Holder.COUNT[0];
        }
    }

    public static void add() {
        synchronized (Holder.class) {
            Holder.COUNT[0]++;
        }
    }
}
