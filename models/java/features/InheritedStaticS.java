package features;

/** The same under the lock of the class. */
public class InheritedStaticS implements InheritedStaticSTwice {
    private static int n;
    static synchronized int add() {
        return ++n;
    }
}

interface InheritedStaticSTwice {
    default int both() {
        synchronized (InheritedStaticS.class) {
            return InheritedStaticS.add() + InheritedStaticS.add();
        }
    }
}
