package features;

/** A method of another class has the same accesses as a unit of this class, but is no unit. */
public final class StaticsOutsideB {
    static int a;
    static int b;

    public static void inside() {
        a = 1;
        b = 1;
    }

    public static int readBoth() {
        return a + b;
    }
}

final class StaticsOutsideBOther {
    private StaticsOutsideBOther() {}

    public static void outside() {
        StaticsOutsideB.a = 1;
        StaticsOutsideB.b = 1;
    }
}
