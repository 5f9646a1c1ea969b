package features;

/** A default method of an own interface, of which there are functions only, makes another function of its object, locked. */
public class DefaultLambdaS {
    interface Op {
        void go(DefaultLambdaS of);
        default Op then(Op other) {
            return of -> {
                go(of);
                other.go(of);
            };
        }
    }

    private static final Op ADD = of -> of.n++;
    private int n;
    public synchronized void inc() {
        ADD.then(of -> {}).go(this);
    }
    public synchronized int get() {
        return n;
    }
}
