package features;

/** The same from a fixed position. */
public class LastIndexS {
    private final StringBuffer text = new StringBuffer("aaaaa");

    public void lengthen() { text.replace(0, 99, "xbbbbbbbbbx"); }
    public void shorten() { text.replace(0, 99, "aaaaa"); }
    public int last() { return text.lastIndexOf("x", 99); }
}
