package asercheck.confirm;

import java.util.ArrayList;
import java.util.List;

/** The instructions of a method (The Java Virtual Machine Specification, section 6.5). */
final class Instructions {
    static final int TABLESWITCH = 0xaa;
    static final int LOOKUPSWITCH = 0xab;
    private static final int WIDE = 0xc4;
    private static final int IINC = 0x84;

    private Instructions() {}

    /** Returns the index of each instruction. Linear in the length of the code. */
    static List<Integer> starts(byte[] code) {
        List<Integer> starts = new ArrayList<>();
        for (int index = 0; index < code.length; index += Math.max(1, length(code, index))) {
            starts.add(index);
        }
        return starts;
    }

    static int length(byte[] code, int index) {
        int opcode = code[index] & 0xff;
        int operands = (index / 4 + 1) * 4;
        switch (opcode) {
            case TABLESWITCH:
                return operands + 12 + 4 * (word(code, operands + 8) - word(code, operands + 4) + 1) - index;
            case LOOKUPSWITCH:
                return operands + 8 + 8 * word(code, operands + 4) - index;
            case WIDE:
                return index + 1 < code.length && (code[index + 1] & 0xff) == IINC ? 6 : 4;
            default:
                return fixed(opcode);
        }
    }

    static int word(byte[] code, int index) {
        return index + 4 > code.length ? 0 : java.nio.ByteBuffer.wrap(code, index, 4).getInt();
    }

    /** Whether an instruction has a branch offset of two bytes. */
    static boolean isShortBranch(int opcode) {
        return opcode >= 0x99 && opcode <= 0xa8 || opcode == 0xc6 || opcode == 0xc7;
    }

    /** Whether an instruction has a branch offset of four bytes. */
    static boolean isLongBranch(int opcode) {
        return opcode == 0xc8 || opcode == 0xc9;
    }

    private static int fixed(int opcode) {
        if (opcode == 0x10 || opcode == 0x12 || opcode >= 0x15 && opcode <= 0x19 || opcode >= 0x36 && opcode <= 0x3a
                || opcode == 0xa9 || opcode == 0xbc) {
            return 2;
        }
        if (opcode == 0x11 || opcode == 0x13 || opcode == 0x14 || opcode == IINC || opcode >= 0x99 && opcode <= 0xa8
                || opcode >= 0xb2 && opcode <= 0xb8 || opcode == 0xbb || opcode == 0xbd || opcode == 0xc0
                || opcode == 0xc1 || opcode == 0xc6 || opcode == 0xc7) {
            return 3;
        }
        if (opcode == 0xc5) {
            return 4;
        }
        return opcode == 0xb9 || opcode == 0xba || opcode == 0xc8 || opcode == 0xc9 ? 5 : 1;
    }
}
