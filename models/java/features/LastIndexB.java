package features;

/** A string buffer is searched from its end, which is read before the monitor is entered. */
public class LastIndexB {
    private final StringBuffer text = new StringBuffer("aaaaa");

    public void lengthen() { text.replace(0, 99, "xbbbbbbbbbx"); }
    public void shorten() { text.replace(0, 99, "aaaaa"); }
    public int last() { return text.lastIndexOf("x"); }
}
