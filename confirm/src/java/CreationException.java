package asercheck.confirm;

/** A client or a value cannot be created. */
final class CreationException extends Exception {
    private static final long serialVersionUID = 1L;

    CreationException(String why) {
        super(why);
    }
}
