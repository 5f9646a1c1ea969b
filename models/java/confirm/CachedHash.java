package confirm;

/** Broken: the hash code, which differs from run to run, is computed in the field that keeps it. */
public class CachedHash {
    private volatile int hash;

    @Override
    public int hashCode() {
        if (hash == 0) {
            hash = 17;
            hash = 37 * hash + System.identityHashCode(this);
        }
        return hash;
    }
}
