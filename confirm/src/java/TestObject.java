package asercheck.confirm;

/** An object of a test that runs up to a moment, or an argument of the call that the test is about to make then. */
final class TestObject extends Expression {
    final TestMoment moment;
    /** 0 for the object itself, else the number of the argument from 1. */
    private final int place;

    TestObject(TestMoment moment, int place) {
        this.moment = moment;
        this.place = place;
    }

    @Override
    Object value(Scope scope) throws Throwable {
        return scope.ofTest(moment)[place];
    }

    @Override
    String text() {
        return place == 0 ? "object " + moment.number + " of " + moment : "argument " + place + " of this call";
    }

    @Override
    String source() {
        return place > 0 ? "tested[" + place + "]"
                : "tested(" + JavaTypes.literal(moment.test.id()) + ", " + JavaTypes.literal(moment.type) + ", "
                        + moment.number + ", " + moment.call + ")";
    }
}
