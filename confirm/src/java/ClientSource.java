package asercheck.confirm;

/** The Java source of a client. */
final class ClientSource {
    private static final String TESTED = "\n    private Object[] tested;\n\n"
            + "    /**\n     * Runs a test until it is about to make a call, and stops it there. Returns an object\n"
            + "     * that the test has made: the type and the number say which one. The support file says how\n"
            + "     * calls are counted.\n     */\n"
            + "    private Object tested(String test, String type, int number, int call) throws Throwable {\n"
            + "        String name = getClass().getName();\n"
            + "        String support = name.substring(0, name.lastIndexOf('.') + 1) + \"TestRun\";\n"
            + "        Method upTo = Class.forName(support).getDeclaredMethod(\"upTo\", ClassLoader.class,\n"
            + "                String.class, String.class, int.class, int.class);\n"
            + "        upTo.setAccessible(true);\n"
            + "        tested = (Object[]) upTo.invoke(null, getClass().getClassLoader(), test, type, number, call);\n"
            + "        return tested[0];\n    }\n";

    private ClientSource() {}

    /** Returns the members of a class with the methods of {@link RunnableClient}; observations are functions. */
    static String of(Client client) {
        StringBuilder text = new StringBuilder();
        for (Expression.Variable variable : client.variables()) {
            text.append("    private ").append(Names.of(variable.type)).append(' ').append(variable.name).append(";\n");
        }
        text.append("\n    public void prepare() throws Throwable {\n");
        client.before.forEach(step -> text.append("        ").append(step.source()).append('\n'));
        text.append("    }\n\n    public int calls(int side) {\n        return side == 1 ? ")
                .append(client.sides.get(0).size()).append(" : ").append(client.sides.get(1).size())
                .append(";\n    }\n\n    public Object call(int side, int number) throws Throwable {\n");
        for (int side = 1; side <= 2; side++) {
            int number = 0;
            for (Expression call : client.sides.get(side - 1)) {
                text.append("        if (side == ").append(side).append(" && number == ").append(number)
                        .append(") {\n            ").append(result(call)).append("        }\n");
                number++;
            }
        }
        text.append("        throw new IllegalArgumentException();\n    }\n\n")
                .append("    public Map<String, Callable<?>> observations() {\n")
                .append("        Map<String, Callable<?>> all = new LinkedHashMap<>();\n");
        for (Expression.Variable variable : client.variables()) {
            observation(text, variable.name, variable.name);
        }
        for (Expression observer : client.observers) {
            observation(text, observer.text(), observer.source());
        }
        text.append("        return all;\n    }\n");
        return client.moment() != null ? text + TESTED : text.toString();
    }

    private static void observation(StringBuilder text, String name, String source) {
        text.append("        all.put(").append(JavaTypes.literal(name)).append(", () -> ").append(source)
                .append(");\n");
    }

    private static String result(Expression call) {
        boolean isVoid = call instanceof Expression.Call && ((Expression.Call) call).isVoid();
        String source = call.source();
        return isVoid ? source + ";\n            return null;\n" : "return " + source + ";\n";
    }
}
