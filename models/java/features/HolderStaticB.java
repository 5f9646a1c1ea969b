package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;
import java.util.stream.*;

/** The state is in a static field of a class in it. */
public class HolderStaticB {
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

    public static void bump() {
        Holder.COUNT[0]++;
    }
}
