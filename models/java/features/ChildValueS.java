package features;

/** A new thread gets a copy of its parent's counter. */
public class ChildValueS {
    private final InheritableThreadLocal<int[]> counter = new InheritableThreadLocal<>() {
        @Override
        protected int[] initialValue() {
            return new int[1];
        }

        @Override
        protected int[] childValue(int[] parent) {
            return parent.clone();
        }
    };

    public int next() {
        return ++counter.get()[0];
    }
}
