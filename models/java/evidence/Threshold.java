package evidence;

/** The limit is configuration: what interferes stores what its caller gives, after it has looked at it. */
public class Threshold {
    private volatile long limit;

    public boolean allows(long number) {
        return limit > 0 && number < limit;
    }

    public void setLimit(int most) {
        if (most < 0) {
            throw new IllegalArgumentException("less than nothing: " + most);
        }
        limit = most;
    }
}
