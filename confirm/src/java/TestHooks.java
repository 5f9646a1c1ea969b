package asercheck.confirm;

/**
 * The hooks that {@link TestRun} needs: at the end of the constructors of subjects, and before the calls in the code of
 * tests. The arguments of a call are kept in local variables that the method does not use otherwise, and which no frame
 * of the stack map needs, because there is no branch between.
 */
final class TestHooks {
    private static final String HOOK = TestRun.Hook.class.getName().replace('.', '/');
    private static final int ALOAD_0 = 0x2a;
    private static final int DUP = 0x59;
    private static final int DUP2 = 0x5c;
    private static final int INVOKESPECIAL = 0xb7;
    private static final int INVOKESTATIC = 0xb8;
    private static final int WIDE = 0xc4;
    /** Types, and the difference of their instructions to those of numbers. */
    private static final String KINDS = "IJFDA";

    private final ConstantPool pool;
    private final String type;
    private final String source;
    private final TestCode tests;

    TestHooks(ConstantPool pool, String type, String source, TestCode tests) {
        this.pool = pool;
        this.type = type;
        this.source = source;
        this.tests = tests;
    }

    private Bytes site(Bytes to, String[] method, int index, String target, int line) {
        int number = Sites.add(new Sites.Site(method, index, Sites.Kind.LOCK, target, line, source, false));
        return number <= Short.MAX_VALUE ? to.u1(0x11).u2(number) : to.u1(0x13).u2(pool.number(number));
    }

    private Bytes call(Bytes to, String name, String descriptor) {
        return to.u1(INVOKESTATIC).u2(pool.method(HOOK, name, descriptor));
    }

    /** Adds the hooks of a method. */
    void add(CodeRewriter code, String method, String descriptor, int[] lines, boolean hasThis) {
        String[] names = {type, method, descriptor};
        if (method.equals("<init>") && tests.isSubject(type) && hasThis) {
            made(code, names);
        }
        if (tests.isTest(type)) {
            for (int start : code.starts) {
                int opcode = code.code[start] & 0xff;
                if (opcode >= 0xb6 && opcode <= 0xb9) {
                    invocation(code, start, opcode, names, lines[start]);
                }
            }
        }
    }

    private void made(CodeRewriter code, String[] names) {
        for (int start : code.starts) {
            if ((code.code[start] & 0xff) == 0xb1) {
                Bytes hook = site(new Bytes().u1(ALOAD_0), names, start, "made", 0);
                code.before(start, call(hook, "made", "(Ljava/lang/Object;I)V"), 2);
            }
        }
    }

    private void invocation(CodeRewriter code, int start, int opcode, String[] names, int line) {
        int operand = (code.code[start + 1] & 0xff) << 8 | code.code[start + 2] & 0xff;
        String owner = pool.owner(operand);
        String name = pool.name(operand);
        String descriptor = pool.descriptor(operand);
        if (owner.startsWith("[") || tests.isTest(owner) || TestCode.isOfFramework(owner) || isLeft(owner, name)) {
            return;
        }
        java.util.List<String> parameters = SpecialMethods.parameters(descriptor);
        int[] places = new int[parameters.size() + 1];
        places[0] = code.maxLocals;
        for (int i = 0; i < parameters.size(); i++) {
            places[i + 1] = places[i] + (isLong(parameters.get(i)) ? 2 : 1);
        }
        Bytes hook = new Bytes();
        for (int i = parameters.size() - 1; i >= 0; i--) {
            variable(hook, 0x36, parameters.get(i), places[i]);
        }
        boolean isConstructor = opcode == INVOKESPECIAL && name.equals("<init>");
        if (opcode != INVOKESTATIC && !isConstructor) {
            call(hook.u1(DUP), "receiver", "(Ljava/lang/Object;)V");
        }
        for (int i = 0; i < parameters.size(); i++) {
            String parameter = parameters.get(i);
            variable(hook, 0x15, parameter, places[i]);
            hook.u1(isLong(parameter) ? DUP2 : DUP);
            String passed = parameter.length() > 1 ? "Ljava/lang/Object;" : parameter;
            call(hook, "argument", "(" + passed + ")V");
        }
        String target = owner.replace('/', '.') + "." + name + descriptor;
        call(site(hook, names, start, target, line), "use", "(I)V");
        code.before(start, hook, 4, places[parameters.size()] - code.maxLocals);
    }

    private static boolean isLong(String type) {
        return type.equals("J") || type.equals("D");
    }

    /** Calls that change no subject, or are replaced by others. */
    private static boolean isLeft(String owner, String name) {
        if (owner.equals("java/lang/Object")) {
            return !name.equals("equals") && !name.equals("hashCode") && !name.equals("toString");
        }
        boolean isOfLanguage = owner.startsWith("java/lang/") && !owner.equals("java/lang/Iterable")
                && !owner.equals("java/lang/Runnable") && !owner.equals("java/lang/AutoCloseable")
                && !owner.equals("java/lang/CharSequence") && !owner.equals("java/lang/Appendable");
        return isOfLanguage;
    }

    /** Appends an instruction that loads (0x15) or stores (0x36) a variable. */
    private static void variable(Bytes to, int first, String type, int place) {
        int kind = KINDS.indexOf(type);
        int opcode = first + (type.length() > 1 ? 4 : kind < 0 ? 0 : kind);
        if (place > 255) {
            to.u1(WIDE).u1(opcode).u2(place);
        } else {
            to.u1(opcode).u1(place);
        }
    }
}
