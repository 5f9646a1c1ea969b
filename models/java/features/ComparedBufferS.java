package features;

/** A string compares the content of a string buffer within its monitor. */
public class ComparedBufferS {
    private final StringBuffer buffer = new StringBuffer("ab");

    public void reverse() { buffer.reverse(); }
    public boolean equalsOther() { return "aa".contentEquals(buffer); }
}
