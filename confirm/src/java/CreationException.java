package asercheck.confirm;

/** A client or a value cannot be created. */
final class CreationException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Whether the attempt took too long with new classes, so that another one would, too. */
    final boolean isEndless;

    CreationException(String why) {
        this(why, false);
    }

    CreationException(String why, boolean isEndless) {
        super(why);
        this.isEndless = isEndless;
    }
}
