package asercheck.confirm;

import java.util.Set;

/** The hooks of one method: the instructions that are inserted, and their sites. */
final class MethodHooks {
    /** The internal name of the class with the methods that are called. */
    static final String HOOK = Scheduler.Hook.class.getName().replace('.', '/');
    private static final int ALOAD_0 = 0x2a;
    private static final int DUP = 0x59;
    private static final int POP = 0x57;
    private static final int MONITORENTER = 0xc2;
    private static final int MONITOREXIT = 0xc3;
    private static final int ATHROW = 0xbf;
    private static final int INVOKESTATIC = 0xb8;
    private static final int INVOKESPECIAL = 0xb7;
    private static final int INVOKEDYNAMIC = 0xba;
    private static final String KINDS = "IJFDABCS";

    private final ConstantPool pool;
    private final String type;
    private final String parent;
    private final String source;
    private final boolean isOfLibrary;
    private final Set<String> finals;
    private CodeRewriter code;
    String method;
    String descriptor;
    private int[] lines;

    MethodHooks(ConstantPool pool, String type, String parent, String source, boolean isOfLibrary, Set<String> finals) {
        this.pool = pool;
        this.type = type;
        this.parent = parent;
        this.source = source;
        this.isOfLibrary = isOfLibrary;
        this.finals = finals;
    }

    void begin(CodeRewriter code, String method, String descriptor, int[] lines) {
        this.code = code;
        this.method = method;
        this.descriptor = descriptor;
        this.lines = lines;
    }

    /** Appends the number of a new site as a constant. */
    private Bytes site(Bytes to, int index, Sites.Kind kind, String target) {
        String[] names = {type, method, descriptor};
        int number = Sites.add(new Sites.Site(names, index, kind, target, lines[index], source, isOfLibrary));
        return number <= Short.MAX_VALUE ? to.u1(0x11).u2(number) : to.u1(0x13).u2(pool.number(number));
    }

    Bytes call(Bytes to, String name, String descriptor) {
        return to.u1(INVOKESTATIC).u2(pool.method(HOOK, name, descriptor));
    }

    void prologue(Bytes instructions, int stack, boolean hasFrame) {
        code.prologue(instructions, stack, hasFrame);
    }

    /** A method that is one access: the object is the receiver or, for an updater of fields, the first argument. */
    void whole() {
        boolean isUpdater = type.contains("FieldUpdater$");
        if (isUpdater && !descriptor.startsWith("(L")) {
            return;
        }
        Bytes hook = new Bytes().u1(isUpdater ? ALOAD_0 + 1 : ALOAD_0);
        call(site(hook, 0, Sites.Kind.WHOLE, type), "whole", "(Ljava/lang/Object;I)V");
        code.prologue(hook, 2, false);
    }

    /** Reports the result of a method that may give up. */
    void tried() {
        for (int start : code.starts) {
            switch (code.code[start] & 0xff) {
                case 0xac:
                    code.before(start, call(new Bytes().u1(DUP), "tried", "(I)V"), 1);
                    break;
                case 0xad:
                    code.before(start, call(new Bytes().u1(0x5c), "tried", "(J)V"), 2);
                    break;
                case 0xb0:
                    code.before(start, call(new Bytes().u1(DUP), "tried", "(Ljava/lang/Object;)V"), 1);
                    break;
                default:
                    break;
            }
        }
    }

    /**
     * Reports the lock of a synchronized method. If {@code takes}, the method also takes it, and gives it up at each
     * return and in a handler of all exceptions, as the Java machine did for the flag.
     */
    void lock(boolean isStatic, boolean takes) {
        Bytes object = isStatic ? new Bytes().u1(0x13).u2(pool.addType(type)) : new Bytes().u1(ALOAD_0);
        Bytes enter = new Bytes().bytes(object.toByteArray());
        call(site(enter, 0, Sites.Kind.LOCK, "monitor"), takes ? "enter" : "entered", "(Ljava/lang/Object;I)V");
        Bytes exit = call(new Bytes().bytes(object.toByteArray()), "exit", "(Ljava/lang/Object;)V");
        if (takes) {
            enter.bytes(object.toByteArray()).u1(MONITORENTER);
            exit.bytes(object.toByteArray()).u1(MONITOREXIT);
        }
        code.prologue(enter, 2, false);
        for (int start : code.starts) {
            int opcode = code.code[start] & 0xff;
            if (opcode >= 0xac && opcode <= 0xb1) {
                code.before(start, exit, 2);
            }
        }
        Bytes locals = isStatic ? new Bytes() : new Bytes().u1(7).u2(pool.addType(type));
        Bytes handler = new Bytes().bytes(exit.toByteArray()).u1(ATHROW);
        code.handler(handler, locals, isStatic ? 0 : 1, 3);
    }

    /** Adds the hooks of all instructions. */
    void instructions() {
        int made = method.equals("<init>") ? madeFrom() : 0;
        for (int start : code.starts) {
            int opcode = code.code[start] & 0xff;
            if (opcode >= 0x2e && opcode <= 0x35) {
                load(start, "[" + KINDS.charAt(opcode - 0x2e));
            } else if (opcode >= 0x4f && opcode <= 0x56) {
                store(start, "[" + KINDS.charAt(opcode - 0x4f), opcode == 0x50 || opcode == 0x52);
            } else if (opcode >= 0xb2 && opcode <= 0xb5) {
                field(start, opcode, made);
            } else if (opcode == MONITORENTER) {
                Bytes hook = site(new Bytes().u1(DUP), start, Sites.Kind.LOCK, "monitor");
                code.before(start, call(hook, "enter", "(Ljava/lang/Object;I)V"), 2);
            } else if (opcode == MONITOREXIT) {
                code.before(start, call(new Bytes().u1(DUP), "exit", "(Ljava/lang/Object;)V"), 1);
            } else if (opcode == INVOKEDYNAMIC) {
                // The Java machine makes the call site with collections of the library.
                code.before(start, call(new Bytes(), "off", "()V"), 0);
                code.after(start, call(new Bytes(), "on", "()V"), 0);
            } else if (opcode >= 0xb6 && opcode <= 0xb8) {
                invocation(start, opcode);
            }
        }
    }

    private int operand(int start) {
        return (code.code[start + 1] & 0xff) << 8 | code.code[start + 2] & 0xff;
    }

    /** Returns the place from which on the object of a constructor may be passed to a hook. */
    private int madeFrom() {
        int last = 0;
        for (int start : code.starts) {
            if ((code.code[start] & 0xff) == INVOKESPECIAL) {
                String owner = pool.owner(operand(start));
                boolean isConstructor = pool.name(operand(start)).equals("<init>");
                last = isConstructor && (owner.equals(type) || owner.equals(parent)) ? start : last;
            }
        }
        return last;
    }

    private void field(int start, int opcode, int made) {
        int operand = operand(start);
        String name = pool.name(operand);
        boolean isWrite = (opcode & 1) == 1;
        if (pool.owner(operand).equals(type) && finals.contains(name) || opcode == 0xb5 && start < made) {
            return;
        }
        String fieldType = pool.descriptor(operand);
        boolean isStatic = opcode < 0xb4;
        Sites.Kind kind = isWrite ? Sites.Kind.WRITE : Sites.Kind.READ;
        boolean isLong = fieldType.equals("J") || fieldType.equals("D");
        Bytes hook = new Bytes();
        if (isStatic) {
            hook.u1(1);
        } else if (!isWrite) {
            hook.u1(DUP);
        } else if (isLong) {
            // object, value: value, object, value: object, value, object
            hook.u1(0x5d).u1(0x58).u1(0x5b);
        } else {
            hook.u1(0x5c).u1(POP);
        }
        String target = (isStatic ? pool.owner(operand) + "." : "") + name + ":" + fieldType;
        site(hook, start, kind, target);
        code.before(start, call(hook, isWrite ? "write" : "read", "(Ljava/lang/Object;I)V"), 4);
    }

    private void load(int start, String kind) {
        Bytes hook = site(new Bytes().u1(0x5c), start, Sites.Kind.READ, kind);
        code.before(start, call(hook, "load", "(Ljava/lang/Object;II)V"), 3);
    }

    private void store(int start, String kind, boolean isLong) {
        Bytes hook = isLong ? new Bytes().u1(0x5e).u1(0x58).u1(0x5c) : new Bytes().u1(0x5b).u1(POP).u1(0x5c);
        call(site(hook, start, Sites.Kind.WRITE, kind), "store", "(Ljava/lang/Object;II)V");
        if (isLong) {
            hook.u1(0x5e).u1(0x58);
        } else {
            hook.u1(0x5d).u1(0x58);
        }
        code.before(start, hook, 4);
    }

    private void invocation(int start, int opcode) {
        int operand = operand(start);
        String name = pool.name(operand);
        String owner = pool.owner(operand);
        if (opcode == 0xb6 && isOfMonitor(name, pool.descriptor(operand))) {
            Bytes site = site(new Bytes(), start, Sites.Kind.LOCK, "monitor");
            code.before(start, site, 1);
            String parameters = pool.descriptor(operand).substring(1).replace(")", "I)");
            code.replace(start, call(new Bytes(), name, "(Ljava/lang/Object;" + parameters));
        } else if (owner.equals("java/lang/System") && name.equals("arraycopy")) {
            code.before(start, site(new Bytes(), start, Sites.Kind.WRITE, "["), 1);
            code.replace(start, call(new Bytes(), name, "(Ljava/lang/Object;ILjava/lang/Object;III)V"));
        } else if (owner.equals("java/lang/Thread") && (name.equals("yield") || name.equals("onSpinWait"))) {
            code.before(start, call(new Bytes(), "yields", "()V"), 0);
        } else if (owner.startsWith("[") && name.equals("clone")) {
            Bytes hook = site(new Bytes().u1(DUP), start, Sites.Kind.READ, "[");
            code.before(start, call(hook, "read", "(Ljava/lang/Object;I)V"), 2);
        } else if (owner.equals("java/lang/invoke/VarHandle") || owner.endsWith("/misc/Unsafe")) {
            Bytes hook = site(new Bytes().u1(1), start, Sites.Kind.WHOLE, owner);
            code.before(start, call(hook, "whole", "(Ljava/lang/Object;I)V"), 2);
        } else if (!isOfLibrary && opcode != 0xb7 && Roles.of(owner, true) == Roles.LIBRARY
                && !owner.equals("java/lang/StringBuilder")) {
            // A synchronized method of the library has no hook before it takes its monitor.
            Bytes hook = site(new Bytes(), start, Sites.Kind.LOCK, "call");
            code.before(start, call(hook, "call", "(I)V"), 1);
        }
    }

    private static boolean isOfMonitor(String name, String descriptor) {
        boolean isWait = name.equals("wait")
                && (descriptor.equals("()V") || descriptor.equals("(J)V") || descriptor.equals("(JI)V"));
        return isWait || (name.equals("notify") || name.equals("notifyAll")) && descriptor.equals("()V");
    }
}
