package asercheck.confirm;

import java.util.List;

/**
 * Inserts instructions into the code of a method. Hooks stand before an instruction, and branches to the instruction
 * lead to its hook. They leave the stack as it was, and use no local variables of the method, so every frame of the
 * stack map stays valid at its moved place.
 */
final class CodeRewriter {
    /** The attribute with the lines. */
    static final String LINES = "LineNumberTable";

    private final byte[] file;
    private final ConstantPool pool;
    private final int maxStack;
    final int maxLocals;
    final byte[] code;
    /** The place after the code: the table of exceptions. */
    private final int tables;
    final List<Integer> starts;
    private final byte[][] before;
    private final byte[][] instead;
    private final byte[][] after;
    private byte[] prologue = new byte[0];
    private boolean hasFrameAfterPrologue;
    private byte[] handler = new byte[0];
    private byte[] handlerFrame;
    /** The new place of each old one: that of the hook before the instruction. */
    private int[] moved;
    private int[] instructions;
    private int size;
    private int moreStack;
    private int moreLocals;
    private boolean addsLines;

    /** Begins with the contents of the attribute Code at a place of the file. */
    CodeRewriter(byte[] file, ConstantPool pool, int place) {
        this.file = file;
        this.pool = pool;
        maxStack = u2(place);
        maxLocals = u2(place + 2);
        int length = Instructions.word(file, place + 4);
        code = java.util.Arrays.copyOfRange(file, place + 8, place + 8 + length);
        tables = place + 8 + length;
        starts = Instructions.starts(code);
        before = new byte[code.length][];
        instead = new byte[code.length][];
        after = new byte[code.length][];
    }

    private int u2(int place) {
        return (file[place] & 0xff) << 8 | file[place + 1] & 0xff;
    }

    /** Adds a table of lines, each of which is the index of an instruction, plus one. */
    void addLines() {
        addsLines = starts.size() <= 65_535;
    }

    /** Inserts instructions before the one at an index. They need so many more places on the stack. */
    void before(int index, Bytes instructions, int stack) {
        before[index] = joined(before[index], instructions);
        moreStack = Math.max(moreStack, stack);
    }

    /** The same with instructions that use so many local variables after those of the method. */
    void before(int index, Bytes instructions, int stack, int locals) {
        before(index, instructions, stack);
        moreLocals = Math.max(moreLocals, locals);
        if (maxLocals + moreLocals > 65_535) {
            throw new ConstantPool.TooLarge("locals");
        }
    }

    void after(int index, Bytes instructions, int stack) {
        after[index] = joined(after[index], instructions);
        moreStack = Math.max(moreStack, stack);
    }

    /** Replaces an instruction by one with the same effect on the stack. */
    void replace(int index, Bytes instruction) {
        instead[index] = instruction.toByteArray();
    }

    /** Inserts instructions that are executed once, when the method is called. */
    void prologue(Bytes instructions, int stack, boolean hasFrame) {
        prologue = joined(prologue, instructions);
        hasFrameAfterPrologue |= hasFrame;
        moreStack = Math.max(moreStack, stack);
    }

    /** Adds a handler of all exceptions of the method, with the locals of its frame. */
    void handler(Bytes instructions, Bytes frameLocals, int locals, int stack) {
        handler = instructions.toByteArray();
        Bytes frame = new Bytes();
        frame.u2(locals).bytes(frameLocals.toByteArray()).u2(1).u1(7).u2(pool.addType("java/lang/Throwable"));
        handlerFrame = frame.toByteArray();
        moreStack = Math.max(moreStack, stack);
    }

    /** Whether an instruction writes the first local variable, so that it may no longer be the receiver. */
    boolean overwritesThis() {
        for (int start : starts) {
            int opcode = code[start] & 0xff;
            boolean isNumbered = opcode >= 0x36 && opcode <= 0x3a && code[start + 1] == 0;
            boolean isShort = opcode == 0x3b || opcode == 0x3f || opcode == 0x43 || opcode == 0x47 || opcode == 0x4b;
            boolean isWide = opcode == 0xc4 && code[start + 2] == 0 && code[start + 3] == 0;
            if (isNumbered || isShort || isWide) {
                return true;
            }
        }
        return false;
    }

    /** Whether something was added. */
    boolean isChanged() {
        boolean isChanged = prologue.length > 0 || handler.length > 0;
        for (int start : starts) {
            isChanged |= before[start] != null || instead[start] != null || after[start] != null;
        }
        return isChanged;
    }

    private static byte[] joined(byte[] first, Bytes second) {
        return new Bytes().bytes(first).bytes(second.toByteArray()).toByteArray();
    }

    /** Returns the new contents of the attribute. */
    byte[] result() {
        place();
        if (size + handler.length > 65_535) {
            throw new ConstantPool.TooLarge("code");
        }
        Bytes out = new Bytes();
        out.u2(maxStack + moreStack).u2(maxLocals + moreLocals).u4(size + handler.length);
        byte[] written = written();
        out.bytes(written).bytes(handler);
        attributes(out, exceptions(out));
        return out.toByteArray();
    }

    private static int length(byte[] bytes) {
        return bytes == null ? 0 : bytes.length;
    }

    /** Computes the new places. */
    private void place() {
        moved = new int[code.length + 1];
        instructions = new int[code.length];
        int place = prologue.length;
        for (int start : starts) {
            moved[start] = place;
            place += length(before[start]);
            instructions[start] = place;
            place += length(start, place) + length(after[start]);
        }
        moved[code.length] = place;
        size = place;
    }

    /** Returns the length of an instruction at a new place, on which the padding of a switch depends. */
    private int length(int start, int place) {
        if (instead[start] != null) {
            return instead[start].length;
        }
        int old = Instructions.length(code, start);
        int opcode = code[start] & 0xff;
        boolean isSwitch = opcode == Instructions.TABLESWITCH || opcode == Instructions.LOOKUPSWITCH;
        return isSwitch ? old - (3 - start % 4) + (3 - place % 4) : old;
    }

    private byte[] written() {
        Bytes out = new Bytes();
        out.bytes(prologue);
        for (int start : starts) {
            out.bytes(before[start]);
            if (instead[start] != null) {
                out.bytes(instead[start]);
            } else {
                instruction(out, start);
            }
            out.bytes(after[start]);
        }
        return out.toByteArray();
    }

    private void instruction(Bytes out, int start) {
        int opcode = code[start] & 0xff;
        int length = Instructions.length(code, start);
        if (Instructions.isShortBranch(opcode)) {
            int offset = target(start, (short) ((code[start + 1] & 0xff) << 8 | code[start + 2] & 0xff));
            if (offset != (short) offset) {
                throw new ConstantPool.TooLarge("branch");
            }
            out.u1(opcode).u2(offset);
        } else if (Instructions.isLongBranch(opcode)) {
            out.u1(opcode).u4(target(start, Instructions.word(code, start + 1)));
        } else if (opcode == Instructions.TABLESWITCH || opcode == Instructions.LOOKUPSWITCH) {
            choice(out, start, opcode == Instructions.TABLESWITCH);
        } else {
            out.bytes(code, start, length);
        }
    }

    /** Returns the new branch offset. */
    private int target(int start, int offset) {
        return moved[start + offset] - instructions[start];
    }

    private void choice(Bytes out, int start, boolean isTable) {
        out.u1(code[start]);
        for (int i = 0; i < 3 - instructions[start] % 4; i++) {
            out.u1(0);
        }
        int place = (start / 4 + 1) * 4;
        out.u4(target(start, Instructions.word(code, place)));
        if (isTable) {
            int low = Instructions.word(code, place + 4);
            int high = Instructions.word(code, place + 8);
            out.u4(low).u4(high);
            for (int i = 0; i <= high - low; i++) {
                out.u4(target(start, Instructions.word(code, place + 12 + 4 * i)));
            }
            return;
        }
        int pairs = Instructions.word(code, place + 4);
        out.u4(pairs);
        for (int i = 0; i < pairs; i++) {
            out.u4(Instructions.word(code, place + 8 + 8 * i));
            out.u4(target(start, Instructions.word(code, place + 12 + 8 * i)));
        }
    }

    /** Writes the table of exceptions. Returns the place after it. */
    private int exceptions(Bytes out) {
        int count = u2(tables);
        out.u2(count + (handler.length > 0 ? 1 : 0));
        int place = tables + 2;
        for (int i = 0; i < count; i++) {
            out.u2(moved[u2(place)]).u2(moved[u2(place + 2)]).u2(moved[u2(place + 4)]).u2(u2(place + 6));
            place += 8;
        }
        if (handler.length > 0) {
            out.u2(prologue.length).u2(size).u2(size).u2(0);
        }
        return place;
    }

    private void attributes(Bytes out, int place) {
        int count = u2(place);
        Bytes all = new Bytes();
        int written = 0;
        boolean hasFrames = false;
        place += 2;
        for (int i = 0; i < count; i++) {
            String name = pool.text(u2(place));
            int length = Instructions.word(file, place + 2);
            Bytes contents = attribute(name, place + 6);
            hasFrames |= name.equals("StackMapTable");
            if (contents != null) {
                byte[] bytes = contents.toByteArray();
                all.u2(u2(place)).u4(bytes.length).bytes(bytes);
                written++;
            }
            place += 6 + length;
        }
        if (addsLines) {
            byte[] bytes = indices().toByteArray();
            all.u2(pool.utf8(LINES)).u4(bytes.length).bytes(bytes);
            written++;
        }
        if (!hasFrames && (handlerFrame != null || hasFrameAfterPrologue)) {
            byte[] bytes = frames(0, 0).toByteArray();
            all.u2(pool.utf8("StackMapTable")).u4(bytes.length).bytes(bytes);
            written++;
        }
        out.u2(written).bytes(all.toByteArray());
    }

    /** Returns an attribute of the code with new places; null for one that is left out. */
    private Bytes attribute(String name, int place) {
        switch (name) {
            case LINES:
                return lines(place);
            case "LocalVariableTable":
            case "LocalVariableTypeTable":
                return variables(place);
            case "StackMapTable":
                return frames(place + 2, u2(place));
            default:
                return null;
        }
    }

    private Bytes lines(int place) {
        int count = u2(place);
        Bytes out = new Bytes();
        out.u2(count);
        for (int i = 0; i < count; i++) {
            out.u2(moved[u2(place + 2 + 4 * i)]).u2(u2(place + 4 + 4 * i));
        }
        return out;
    }

    private Bytes indices() {
        Bytes out = new Bytes();
        out.u2(starts.size());
        for (int start : starts) {
            out.u2(moved[start]).u2(start + 1);
        }
        return out;
    }

    private Bytes variables(int place) {
        int count = u2(place);
        Bytes out = new Bytes();
        out.u2(count);
        for (int i = 0; i < count; i++) {
            int entry = place + 2 + 10 * i;
            int begin = moved[u2(entry)];
            int end = moved[u2(entry) + u2(entry + 2)];
            out.u2(begin).u2(end - begin).bytes(file, entry + 4, 6);
        }
        return out;
    }

    /** The place of the last frame that was written, and the number of frames. */
    private int lastFrame;
    private int frameCount;

    /**
     * Returns the stack map with new places. Each frame keeps its locals and stack; the difference to the frame before
     * it is computed again.
     */
    private Bytes frames(int from, int count) {
        Bytes out = new Bytes();
        lastFrame = -1;
        frameCount = 0;
        int place = from;
        int old = -1;
        boolean isFirst = true;
        for (int i = 0; i < count; i++) {
            int type = file[place] & 0xff;
            int delta = type < 64 ? type : type < 128 ? type - 64 : u2(place + 1);
            old += delta + 1;
            if (isFirst && hasFrameAfterPrologue && old > 0) {
                frame(out, prologue.length, 251);
            }
            isFirst = false;
            place = frame(out, type, place, old);
        }
        if (isFirst && hasFrameAfterPrologue) {
            frame(out, prologue.length, 251);
        }
        if (handlerFrame != null) {
            frame(out, size, 255);
            out.bytes(handlerFrame);
        }
        return new Bytes().u2(frameCount).bytes(out.toByteArray());
    }

    private void frame(Bytes out, int at, int type) {
        out.u1(type).u2(at - lastFrame - 1);
        lastFrame = at;
        frameCount++;
    }

    /** Writes a frame. Returns the place after the old one. */
    private int frame(Bytes out, int type, int place, int old) {
        int at = moved[old];
        if (type < 64 || type == 251) {
            frame(out, at, 251);
            return place + (type < 64 ? 1 : 3);
        }
        if (type < 128 || type == 247) {
            frame(out, at, 247);
            return value(out, place + (type < 128 ? 1 : 3));
        }
        frame(out, at, type);
        if (type >= 248 && type <= 250) {
            return place + 3;
        }
        if (type < 255) {
            return values(out, place + 3, type - 251);
        }
        out.u2(u2(place + 3));
        int next = values(out, place + 5, u2(place + 3));
        out.u2(u2(next));
        return values(out, next + 2, u2(next));
    }

    private int values(Bytes out, int place, int count) {
        int next = place;
        for (int i = 0; i < count; i++) {
            next = value(out, next);
        }
        return next;
    }

    /** Writes the type of a value. One of an object without a constructor call names the instruction that made it. */
    private int value(Bytes out, int place) {
        int tag = file[place];
        out.u1(tag);
        if (tag == 7) {
            out.u2(u2(place + 1));
        } else if (tag == 8) {
            out.u2(instructions[u2(place + 1)]);
        }
        return place + (tag == 7 || tag == 8 ? 3 : 1);
    }
}
