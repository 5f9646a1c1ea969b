/** A copy by clone shares what the object holds. */
public class ShallowCopy implements Cloneable {
    private int[] xs = { 1, 2 };
    public ShallowCopy clone() {
        try {
            ShallowCopy p = (ShallowCopy) super.clone();
            p.xs[0]++;
            return p;
        } catch (CloneNotSupportedException e) {
            throw new Error(e);
        }
    }

    public synchronized int z() {
        return xs[0];
    }

    public synchronized void w() {
        xs[0]++;
    }
}
