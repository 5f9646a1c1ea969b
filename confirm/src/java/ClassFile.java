package asercheck.confirm;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The parts of a class file that the planner reads: the supertypes, and the calls, constants and fields of each method.
 * Names of classes have dots.
 */
final class ClassFile {
    final String name;
    /** The superclass and the interfaces. */
    final List<String> above = new ArrayList<>();
    final List<Body> bodies = new ArrayList<>();
    private final int[] tags;
    private final int[] first;
    private final int[] second;
    private final Object[] values;
    /** The methods that a bootstrap method gets as arguments: the bodies of lambda expressions. */
    private final List<List<String>> bootstraps = new ArrayList<>();

    /** The code of a method. */
    static final class Body {
        /** The name and the descriptor. */
        final String key;
        /** The called methods with their classes, and the constants (strings and integers), in their order. */
        final List<Object> items = new ArrayList<>();
        /** The names of the fields that are accessed. */
        final Set<String> fields = new HashSet<>();

        Body(String key) {
            this.key = key;
        }

        /** Returns the called methods: class, dot, name, descriptor. */
        List<String> calls() {
            List<String> calls = new ArrayList<>();
            items.stream().filter(item -> item instanceof Call).forEach(item -> calls.add(((Call) item).method));
            return calls;
        }
    }

    /** A call in a body. */
    static final class Call {
        final String method;

        Call(String method) {
            this.method = method;
        }
    }

    /** A call by a number of a bootstrap method, whose attribute follows the methods. */
    private static final class Dynamic {
        final int bootstrap;

        Dynamic(int bootstrap) {
            this.bootstrap = bootstrap;
        }
    }

    ClassFile(DataInputStream in) throws IOException {
        in.readLong();
        int count = in.readUnsignedShort();
        tags = new int[count];
        first = new int[count];
        second = new int[count];
        values = new Object[count];
        for (int i = 1; i < count; i++) {
            i += constant(in, i);
        }
        in.readUnsignedShort();
        name = type(in.readUnsignedShort());
        int superclass = in.readUnsignedShort();
        if (superclass != 0) {
            above.add(type(superclass));
        }
        for (int i = in.readUnsignedShort(); i > 0; i--) {
            above.add(type(in.readUnsignedShort()));
        }
        for (int i = in.readUnsignedShort(); i > 0; i--) {
            in.skipBytes(6);
            attributes(in, null);
        }
        for (int i = in.readUnsignedShort(); i > 0; i--) {
            in.readUnsignedShort();
            Body body = new Body(text(in.readUnsignedShort()) + text(in.readUnsignedShort()));
            attributes(in, body);
            bodies.add(body);
        }
        attributes(in, null);
        bodies.forEach(this::resolve);
    }

    /** Reads a constant. Returns the number of additional entries that it takes. */
    private int constant(DataInputStream in, int i) throws IOException {
        tags[i] = in.readUnsignedByte();
        switch (tags[i]) {
            case 1:
                values[i] = in.readUTF();
                return 0;
            case 3:
                values[i] = in.readInt();
                return 0;
            case 4:
                in.readInt();
                return 0;
            case 5:
                values[i] = in.readLong();
                return 1;
            case 6:
                in.readLong();
                return 1;
            case 15:
                in.readUnsignedByte();
                first[i] = in.readUnsignedShort();
                return 0;
            default:
                first[i] = in.readUnsignedShort();
                second[i] = tags[i] >= 9 && tags[i] <= 12 || tags[i] == 17 || tags[i] == 18 ? in.readUnsignedShort()
                        : 0;
                return 0;
        }
    }

    private String text(int index) {
        return (String) values[index];
    }

    private String type(int index) {
        return text(first[index]).replace('/', '.');
    }

    private String method(int index) {
        int pair = second[index];
        return type(first[index]) + "." + text(first[pair]) + text(second[pair]);
    }

    private void attributes(DataInputStream in, Body body) throws IOException {
        for (int i = in.readUnsignedShort(); i > 0; i--) {
            String kind = text(in.readUnsignedShort());
            int length = in.readInt();
            if (kind.equals("Code") && body != null) {
                in.readInt();
                byte[] code = new byte[in.readInt()];
                in.readFully(code);
                items(code, body);
                in.readFully(new byte[length - 8 - code.length]);
            } else if (kind.equals("BootstrapMethods")) {
                bootstraps(in);
            } else {
                in.readFully(new byte[length]);
            }
        }
    }

    private void bootstraps(DataInputStream in) throws IOException {
        for (int i = in.readUnsignedShort(); i > 0; i--) {
            in.readUnsignedShort();
            List<String> methods = new ArrayList<>();
            for (int j = in.readUnsignedShort(); j > 0; j--) {
                int argument = in.readUnsignedShort();
                if (tags[argument] == 15 && tags[first[argument]] >= 10) {
                    methods.add(method(first[argument]));
                }
            }
            bootstraps.add(methods);
        }
    }

    private void items(byte[] code, Body body) {
        for (int index : Instructions.starts(code)) {
            Object item = item(code, index);
            if (item != null) {
                body.items.add(item);
            }
            int opcode = code[index] & 0xff;
            if (opcode >= 0xb2 && opcode <= 0xb5) {
                body.fields.add(text(first[second[operand(code, index)]]));
            }
        }
    }

    /** Returns the constant or the call of an instruction; null for others. */
    private Object item(byte[] code, int index) {
        int opcode = code[index] & 0xff;
        if (opcode >= 0x02 && opcode <= 0x08) {
            return opcode - 3;
        }
        if (opcode == 0x10) {
            return (int) code[index + 1];
        }
        if (opcode == 0x11) {
            return code[index + 1] << 8 | code[index + 2] & 0xff;
        }
        if (opcode == 0x12) {
            return loaded(code[index + 1] & 0xff);
        }
        if (opcode == 0x13 || opcode == 0x14) {
            return loaded(operand(code, index));
        }
        if (opcode >= 0xb6 && opcode <= 0xb9) {
            return new Call(method(operand(code, index)));
        }
        return opcode == 0xba ? new Dynamic(first[operand(code, index)]) : null;
    }

    private Object loaded(int index) {
        Object value = tags[index] == 8 ? values[first[index]] : values[index];
        boolean isInt = value instanceof Long && (Long) value == ((Long) value).intValue();
        return isInt ? (Object) ((Long) value).intValue() : value instanceof Long ? null : value;
    }

    private static int operand(byte[] code, int index) {
        return (code[index + 1] & 0xff) << 8 | code[index + 2] & 0xff;
    }

    /** Replaces the dynamic calls by calls of the bodies of their lambda expressions. */
    private void resolve(Body body) {
        List<Object> resolved = new ArrayList<>();
        for (Object item : body.items) {
            if (!(item instanceof Dynamic)) {
                resolved.add(item);
            } else if (((Dynamic) item).bootstrap < bootstraps.size()) {
                bootstraps.get(((Dynamic) item).bootstrap).forEach(method -> resolved.add(new Call(method)));
            }
        }
        body.items.clear();
        body.items.addAll(resolved);
    }
}
