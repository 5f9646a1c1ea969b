package asercheck.confirm;

/** The classes of the class path with all that the planner knows of them. */
final class ClientTypes {
    final Types types;
    final CodeFacts facts;
    final Costs costs;
    final AbstractStub subclasses;
    final Factories factories;
    final TestMoments moments;

    ClientTypes(Types types) {
        this.types = types;
        moments = new TestMoments(types);
        facts = new CodeFacts(types);
        factories = new Factories(types);
        costs = new Costs(types, factories);
        subclasses = new AbstractStub(types);
    }
}
