package features;

/** A default method, which the class inherits, calls its static methods twice. */
public class InheritedStaticB implements InheritedStaticBTwice {
    private static int n;
    static synchronized int add() {
        return ++n;
    }
}

interface InheritedStaticBTwice {
    default int both() {
        return InheritedStaticB.add() + InheritedStaticB.add();
    }
}
