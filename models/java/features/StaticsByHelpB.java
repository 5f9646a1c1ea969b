package features;

/** A unit writes twice, the second time through a method of another class that accesses no static field itself. */
public final class StaticsByHelpB {
    static int a;

    public static void byHelp() {
        a = 1;
        StaticsByHelpBOther.help();
    }

    public static void write() {
        a = 2;
    }
}

final class StaticsByHelpBOther {
    private StaticsByHelpBOther() {}

    public static void help() {
        StaticsByHelpB.write();
    }

    public static void reset() {
        StaticsByHelpB.a = 3;
    }
}
