package features;

/** A new thread shares its parent's counter. */
public class ChildValueB {
    private final InheritableThreadLocal<int[]> counter = new InheritableThreadLocal<>() {
        @Override
        protected int[] initialValue() {
            return new int[1];
        }
    };

    public int next() {
        return ++counter.get()[0];
    }
}
