package features;

import java.util.AbstractList;

/** A method that a given class inherits from a library class is overridden below; clients give the object back. */
public class InheritedBelow {
    private int a;
    private int b;

    /** Inherits `size` and `get` from the library. */
    public abstract static class Base extends AbstractList<String> {}

    private static class View extends Base {
        private final InheritedBelow of;

        View(InheritedBelow of) {
            this.of = of;
        }

        @Override
        public String get(int index) {
            synchronized (of) {
                return of.a + "";
            }
        }

        @Override
        public int size() {
            synchronized (of) {
                return of.b;
            }
        }
    }

    public synchronized void add() {
        a++;
        b++;
    }

    public Base view() {
        return new View(this);
    }

    public static boolean agrees(Base view) {
        return view.size() == view.get(0).length();
    }
}
