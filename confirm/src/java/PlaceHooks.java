package asercheck.confirm;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The hooks of a class of a whole program: before each access and call at a line that the finding names, after the last
 * one of a section, and at the ends of the methods with such lines. Other code is left as it is, so that the program
 * runs as fast as otherwise, and threads stop at no other places.
 *
 * <p>A synchronized method with hooks takes its lock itself, so that a thread can stop at its end without the lock.
 * Constructors have no hook at their end: their code has no frame for a handler before the constructor of the
 * superclass returns. A section in one of them ends with its last access, or with the calling method.
 */
final class PlaceHooks implements ClassRewriter.Hooks {
    private static final String HOOK = ProgramHook.class.getName().replace('.', '/');
    private static final int ALOAD_0 = 0x2a;
    private static final int MONITORENTER = 0xc2;
    private static final int MONITOREXIT = 0xc3;
    private static final int ATHROW = 0xbf;
    private static final int INVOKESTATIC = 0xb8;
    private static final int STATIC = 0x8;
    private static final int SYNCHRONIZED = 0x20;
    private static final int DUP2 = 0x5c;
    private static final Set<String> TIMED = Set.of("wait", "join");

    private final ConstantPool pool;
    private final String type;
    private final String source;
    private final ProgramPlaces places;

    PlaceHooks(ConstantPool pool, String type, String source, ProgramPlaces places) {
        this.pool = pool;
        this.type = type;
        this.source = source;
        this.places = places;
    }

    private Bytes call(Bytes to, String name, String descriptor) {
        return to.u1(INVOKESTATIC).u2(pool.method(HOOK, name, descriptor));
    }

    /** The roles of the instructions of a method. */
    private static final class Roles {
        final TreeMap<Integer, EnumSet<ProgramPlaces.Kind>> kinds = new TreeMap<>();
        /** The last instruction after an access at the last line of a section, by role and line. */
        final Map<String, Integer> ends = new HashMap<>();

        void add(int start, ProgramPlaces.Kind kind) {
            kinds.computeIfAbsent(start, none -> EnumSet.noneOf(ProgramPlaces.Kind.class)).add(kind);
        }
    }

    @Override
    public boolean add(CodeRewriter code, int flags, String method, String descriptor, int[] lines,
            boolean canTakeLock) {
        TreeMap<Integer, EnumSet<ProgramPlaces.Kind>> kinds = kinds(code, lines);
        kinds.forEach((start, roles) -> {
            Point point = new Point(type.replace('/', '.'), method, descriptor, start, 0);
            boolean isDirect = isDirect(code.code[start] & 0xff);
            int number = ProgramStops.add(new ProgramStops.Stop(point, line(lines, start), roles, isDirect));
            Bytes push = number <= Short.MAX_VALUE ? new Bytes().u1(0x11).u2(number)
                    : new Bytes().u1(0x13).u2(pool.number(number));
            code.before(start, call(push, "at", "(I)V"), 1);
        });
        if (kinds.isEmpty() || method.equals("<init>")) {
            return false;
        }
        boolean takesLock = canTakeLock && (flags & SYNCHRONIZED) != 0;
        ends(code, (flags & STATIC) != 0, takesLock);
        return takesLock;
    }

    private String line(int[] lines, int start) {
        return Interruptions.line(type.replace('/', '.'), source, lines[start], start);
    }

    private TreeMap<Integer, EnumSet<ProgramPlaces.Kind>> kinds(CodeRewriter code, int[] lines) {
        Roles roles = new Roles();
        Set<String> begun = new HashSet<>();
        Set<String> ending = new HashSet<>();
        for (int start : code.starts) {
            ending.forEach(end -> roles.ends.put(end, start));
            ending.clear();
            int opcode = code.code[start] & 0xff;
            boolean isCall = opcode >= 0xb6 && opcode <= 0xb9;
            if (isCall) {
                timed(code, start);
            }
            if (!isCall && !isDirect(opcode) && opcode != MONITORENTER && opcode != MONITOREXIT) {
                continue;
            }
            String line = line(lines, start);
            for (ProgramPlaces.Kind kind : places.of(line)) {
                String role = kind + " " + line;
                if (kind.isLast()) {
                    ending.add(role);
                } else if (!kind.isFirst() || begun.add(role)) {
                    roles.add(start, kind);
                }
            }
        }
        roles.ends.forEach((role, start) ->
                roles.add(start, ProgramPlaces.Kind.valueOf(role.substring(0, role.indexOf(' ')))));
        return roles.kinds;
    }

    /** Whether an instruction accesses a field or an element of an array. */
    private static boolean isDirect(int opcode) {
        return opcode >= 0x2e && opcode <= 0x35 || opcode >= 0x4f && opcode <= 0x56 || opcode >= 0xb2 && opcode <= 0xb5;
    }

    /** Adds a hook before a wait with a timeout, or before the wait for the end of a thread. */
    private void timed(CodeRewriter code, int start) {
        int operand = (code.code[start + 1] & 0xff) << 8 | code.code[start + 2] & 0xff;
        if (!TIMED.contains(pool.name(operand))) {
            return;
        }
        if (pool.descriptor(operand).equals("(J)V")) {
            code.before(start, call(new Bytes().u1(DUP2), "timed", "(J)V"), 2);
        } else if (pool.descriptor(operand).equals("(JI)V")) {
            code.before(start, call(new Bytes(), "timed", "()V"), 0);
        }
    }

    /** Adds the hooks at the beginning and at all ends of a method. */
    private void ends(CodeRewriter code, boolean isStatic, boolean takesLock) {
        Bytes object = isStatic ? new Bytes().u1(0x13).u2(pool.addType(type)) : new Bytes().u1(ALOAD_0);
        Bytes enter = new Bytes();
        Bytes exit = new Bytes();
        if (takesLock) {
            enter.bytes(object.toByteArray()).u1(MONITORENTER);
            exit.bytes(object.toByteArray()).u1(MONITOREXIT);
        }
        code.prologue(call(enter, "entered", "()V"), 1, false);
        call(exit, "left", "()V");
        for (int start : code.starts) {
            int opcode = code.code[start] & 0xff;
            if (opcode >= 0xac && opcode <= 0xb1) {
                code.before(start, exit, 1);
            }
        }
        boolean needsThis = takesLock && !isStatic;
        Bytes locals = needsThis ? new Bytes().u1(7).u2(pool.addType(type)) : new Bytes();
        code.handler(new Bytes().bytes(exit.toByteArray()).u1(ATHROW), locals, needsThis ? 1 : 0, 3);
    }
}
