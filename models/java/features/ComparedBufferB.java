package features;

/** A string buffer that another one compares is read without its monitor. */
public class ComparedBufferB {
    private final StringBuffer buffer = new StringBuffer("ab");

    public void reverse() { buffer.reverse(); }
    public boolean equalsOther() { return new StringBuffer("aa").compareTo(buffer) == 0; }
}
