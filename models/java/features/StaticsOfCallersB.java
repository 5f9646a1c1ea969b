package features;

/** Static methods with the lock of the class; another class writes the field in a private method. */
public final class StaticsOfCallersB {
    static int a;

    public static synchronized void writeTwice() {
        a = 1;
        a = 2;
    }
}

final class StaticsOfCallersBOther {
    private StaticsOfCallersBOther() {}

    public static void reset() {
        hidden();
    }

    private static void hidden() {
        StaticsOfCallersB.a = 3;
    }
}
