package asercheck.confirm;

import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** The accesses of the instructions of a class. */
final class ProgramCode {
    private static final int GETSTATIC = 0xb2;
    private static final int PUTFIELD = 0xb5;
    private static final int INVOKEINTERFACE = 0xb9;
    private static final int MONITORENTER = 0xc2;
    private static final int MONITOREXIT = 0xc3;
    /** Prefixes of classes whose methods count as one access. */
    private static final String[] WHOLE = {"java/util/concurrent/atomic/", "java/util/concurrent/locks/",
        "java/lang/invoke/VarHandle", "jdk/internal/misc/Unsafe", "sun/misc/Unsafe"};

    private final int[] tags;
    private final int[] first;
    private final int[] second;
    private final String[] texts;
    private final Map<Method, byte[]> codes = new HashMap<>();

    /**
     * An access: {@code read}, {@code write}, {@code whole} or {@code lock}, and its target; the kind is null for none.
     */
    static final class Access {
        final String kind;
        final String target;

        Access(String kind, String target) {
            this.kind = kind;
            this.target = target;
        }
    }

    ProgramCode(ReferenceType type) {
        int count = type.constantPoolCount();
        tags = new int[count];
        first = new int[count];
        second = new int[count];
        texts = new String[count];
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(type.constantPool()))) {
            for (int i = 1; i < count; i++) {
                i += read(in, i);
            }
        } catch (IOException damaged) {
            throw new IllegalStateException(damaged);
        }
    }

    /** Reads a constant. Returns the number of additional entries that it takes. */
    private int read(DataInputStream in, int i) throws IOException {
        tags[i] = in.readUnsignedByte();
        switch (tags[i]) {
            case 1:
                texts[i] = in.readUTF();
                return 0;
            case 5:
            case 6:
                in.readLong();
                return 1;
            case 7:
            case 8:
            case 16:
            case 19:
            case 20:
                first[i] = in.readUnsignedShort();
                return 0;
            case 15:
                in.readUnsignedByte();
                first[i] = in.readUnsignedShort();
                return 0;
            case 3:
            case 4:
                in.readInt();
                return 0;
            default:
                first[i] = in.readUnsignedShort();
                second[i] = in.readUnsignedShort();
                return 0;
        }
    }

    /** Returns the access of the instruction at an index. */
    Access at(Method method, int index) {
        byte[] code = codes.computeIfAbsent(method, Method::bytecodes);
        if (index < 0 || index >= code.length) {
            return new Access(null, "");
        }
        int opcode = code[index] & 0xff;
        if (opcode >= 0x2e && opcode <= 0x35) {
            return new Access("read", "[" + "IJFDABCS".charAt(opcode - 0x2e));
        }
        if (opcode >= 0x4f && opcode <= 0x56) {
            return new Access("write", "[" + "IJFDABCS".charAt(opcode - 0x4f));
        }
        if (opcode == MONITORENTER || opcode == MONITOREXIT) {
            return new Access("lock", "monitor");
        }
        if (opcode >= GETSTATIC && opcode <= PUTFIELD) {
            return field(opcode, operand(code, index));
        }
        return opcode > PUTFIELD && opcode <= INVOKEINTERFACE ? call(operand(code, index)) : new Access(null, "");
    }

    /**
     * Returns the called method of the instruction at an index, as {@code name:descriptor}; null for other
     * instructions.
     */
    String called(Method method, int index) {
        byte[] code = codes.computeIfAbsent(method, Method::bytecodes);
        int opcode = code[index] & 0xff;
        return opcode > PUTFIELD && opcode <= INVOKEINTERFACE ? member(operand(code, index)) : null;
    }

    private static int operand(byte[] code, int index) {
        return (code[index + 1] & 0xff) << 8 | code[index + 2] & 0xff;
    }

    private Access field(int opcode, int operand) {
        return new Access((opcode & 1) == 0 ? "read" : "write", member(operand));
    }

    private Access call(int operand) {
        String owner = owner(operand);
        for (String whole : WHOLE) {
            if (owner.startsWith(whole)) {
                return new Access("whole", whole);
            }
        }
        String name = texts[first[second[operand]]];
        boolean isMonitor = owner.equals("java/lang/Object") && (name.startsWith("wait") || name.startsWith("notify"));
        boolean isCopy = name.equals("arraycopy") || name.equals("clone");
        return isMonitor ? new Access("lock", "monitor") : isCopy ? new Access("whole", "[") : new Access(null, "");
    }

    private String owner(int operand) {
        return texts[first[first[operand]]];
    }

    /** Returns the name and type of a field or method. Its class is left out, because it may be a subclass. */
    private String member(int operand) {
        int pair = second[operand];
        return texts[first[pair]] + ":" + texts[second[pair]];
    }
}
