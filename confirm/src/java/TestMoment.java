package asercheck.confirm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A call that a test is about to make, and an object of a subject: its state then is a client's object. */
final class TestMoment {
    /** The longest text of an argument. */
    private static final int MAX_TEXT = 60;

    final TestCase test;
    /** The subject. */
    final String type;
    /** The number of the object among those of the subject. */
    final int number;
    /** The number of the call. */
    final int call;
    Role role = Role.BESIDE;
    /** The class, the name and the parameters of the called method. */
    private String target = "";
    private int line;
    private List<String> arguments = new ArrayList<>();

    /** The part of the object in the call. */
    enum Role {
        RECEIVER(3), ARGUMENT(3), BESIDE(3);

        /** The largest number of moments of an object with this role; of a receiver, for each method. */
        final int most;

        Role(int most) {
            this.most = most;
        }
    }

    TestMoment(TestCase test, String type, int number, int call) {
        this.test = test;
        this.type = type;
        this.number = number;
        this.call = call;
    }

    TestMoment described(Sites.Site site, Role given, Object[] values) {
        role = given;
        target = site.target.substring(0, site.target.indexOf(')') + 1);
        line = site.line;
        for (Object value : values) {
            arguments.add(encoded(value));
        }
        return this;
    }

    /** Whether another moment has the same object in the same role, for a receiver of the same method. */
    boolean isLike(TestMoment other) {
        return type.equals(other.type) && number == other.number && role == other.role
                && (role != Role.RECEIVER || key().equals(other.key()));
    }

    /** Returns the name and the parameters of the called method. */
    String key() {
        int open = target.indexOf('(');
        return target.substring(target.lastIndexOf('.', open < 0 ? target.length() : open) + 1);
    }

    int arguments() {
        return arguments.size();
    }

    /** Returns an argument that is a constant; null if it is an object. */
    Object constant(int place) {
        String text = arguments.get(place).substring(1);
        switch (arguments.get(place).charAt(0)) {
            case 'Z':
                return Boolean.valueOf(text);
            case 'C':
                return text.charAt(0);
            case 'B':
                return Byte.valueOf(text);
            case 'S':
                return Short.valueOf(text);
            case 'I':
                return Integer.valueOf(text);
            case 'J':
                return Long.valueOf(text);
            case 'F':
                return Float.valueOf(text);
            case 'D':
                return Double.valueOf(text);
            case 'T':
                return text;
            default:
                return null;
        }
    }

    boolean isNull(int place) {
        return arguments.get(place).equals("N");
    }

    private static String encoded(Object value) {
        if (value == null) {
            return "N";
        }
        String text = String.valueOf(isPlain(value) ? value : "");
        if (value instanceof String) {
            return text.length() <= MAX_TEXT && text.chars().allMatch(c -> c >= ' ' && c < 127) ? "T" + text : "O";
        }
        if (value instanceof Character) {
            return Character.isLetterOrDigit((Character) value) && (Character) value < 127 ? "C" + text : "O";
        }
        boolean isNumber = text.matches("-?[0-9.E-]+");
        String kind = value instanceof Integer ? "I" : value instanceof Long ? "J" : value instanceof Short ? "S"
                : value instanceof Byte ? "B" : value instanceof Float ? "F" : value instanceof Double ? "D" : "O";
        return value instanceof Boolean ? "Z" + text : isNumber ? kind + text : "O";
    }

    private static boolean isPlain(Object value) {
        return value instanceof String || value instanceof Character || value instanceof Boolean
                || value instanceof Number && ValuePrinter.isOfJava(value.getClass());
    }

    /** Returns the line of an index. */
    String line() {
        List<String> fields = new ArrayList<>(Arrays.asList(type, role.name(), target, test.id(),
                String.valueOf(number), String.valueOf(call), String.valueOf(line)));
        fields.addAll(arguments);
        return Lines.join(fields);
    }

    /** Inverse of {@link #line}. */
    static TestMoment parse(String text) {
        String[] fields = Lines.split(text);
        TestMoment moment = new TestMoment(TestCase.parse(fields[3]), fields[0], Integer.parseInt(fields[4]),
                Integer.parseInt(fields[5]));
        moment.role = Role.valueOf(fields[1]);
        moment.target = fields[2];
        moment.line = Integer.parseInt(fields[6]);
        moment.arguments.addAll(Arrays.asList(fields).subList(7, fields.length));
        return moment;
    }

    /** Returns the moment for people. */
    @Override
    public String toString() {
        String name = key().substring(0, Math.max(0, key().indexOf('(')));
        boolean isNew = name.equals("<init>");
        String called = isNew ? "new " + simple(target.substring(0, target.indexOf(".<init>"))) : name + "()";
        return test + " before its call of " + called + (line > 0 ? " in line " + line : "");
    }

    static String simple(String type) {
        return type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
    }
}
