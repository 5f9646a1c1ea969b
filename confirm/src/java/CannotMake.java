package asercheck.confirm;

/** That a client cannot be made, and why. */
final class CannotMake extends Exception {
    private static final long serialVersionUID = 1L;

    CannotMake(String why) {
        super(why);
    }
}
