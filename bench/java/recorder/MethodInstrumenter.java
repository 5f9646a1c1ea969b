package recorder;

import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;
import jdk.internal.org.objectweb.asm.Type;

/**
 * Adds calls of the {@link Recorder} to a method. Nothing is recorded about an object before the constructor of its
 * superclass has run.
 */
final class MethodInstrumenter extends MethodVisitor {
    private static final String OBJECT = "Ljava/lang/Object;";

    private final Instrumenter of;
    private final int access;
    private final String name;
    private final String descriptor;
    /** Whether the method is a constructor that has not called that of the superclass yet. */
    private boolean isRaw;
    /** Number of allocated objects whose constructors have not been called. */
    private int made;

    MethodInstrumenter(MethodVisitor next, Instrumenter of, int access, String name, String descriptor) {
        super(Opcodes.ASM8, next);
        this.of = of;
        this.access = access;
        this.name = name;
        this.descriptor = descriptor;
        isRaw = name.equals("<init>");
    }

    private void tells(String method, String descriptor) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, Instrumenter.RECORDER, method, descriptor, false);
    }

    private boolean has(int flag) {
        return (access & flag) != 0;
    }

    @Override
    public void visitCode() {
        super.visitCode();
        if (!isRaw) {
            begins();
        }
    }

    private void begins() {
        super.visitLdcInsn(of.name().replace('/', '.') + "." + name + descriptor);
        if (has(Opcodes.ACC_STATIC)) {
            super.visitInsn(Opcodes.ACONST_NULL);
        } else {
            super.visitVarInsn(Opcodes.ALOAD, 0);
        }
        tells("enters", "(Ljava/lang/String;" + OBJECT + ")V");
        if (has(Opcodes.ACC_SYNCHRONIZED) && of.hasClassConstants()) {
            pushMonitor();
            tells("locked", "(" + OBJECT + ")V");
        }
    }

    private void pushMonitor() {
        if (has(Opcodes.ACC_STATIC)) {
            super.visitLdcInsn(Type.getObjectType(of.name()));
        } else {
            super.visitVarInsn(Opcodes.ALOAD, 0);
        }
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        if (opcode == Opcodes.NEW) {
            made++;
        }
        super.visitTypeInsn(opcode, type);
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String method, String descriptor, boolean isInterface) {
        if (method.equals("<init>")) {
            super.visitMethodInsn(opcode, owner, method, descriptor, isInterface);
            constructed();
            return;
        }
        Instrumenter.Call call = new Instrumenter.Call(opcode, owner, method, descriptor, isInterface);
        String bridge = isRaw ? null : of.bridge(call);
        if (bridge != null) {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, of.name(), bridge, of.bridgeDescriptor(call), of.isInterface());
            return;
        }
        if (!isRaw) {
            tells("polls", "()V");
        }
        super.visitMethodInsn(opcode, owner, method, descriptor, isInterface);
    }

    /** Handles a call of a constructor: if it is not that of a new object, it is that of the superclass. */
    private void constructed() {
        if (made > 0) {
            made--;
        } else if (isRaw) {
            isRaw = false;
            begins();
        }
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String field, String descriptor) {
        if (!isRaw) {
            tellsField(opcode, owner.replace('/', '.') + "." + field, Type.getType(descriptor));
        }
        super.visitFieldInsn(opcode, owner, field, descriptor);
    }

    private void tellsField(int opcode, String field, Type type) {
        switch (opcode) {
            case Opcodes.GETFIELD -> {
                super.visitInsn(Opcodes.DUP);
                super.visitLdcInsn(field);
                tells("gets", "(" + OBJECT + "Ljava/lang/String;)V");
            }
            case Opcodes.PUTFIELD -> tellsPut(field, type);
            case Opcodes.GETSTATIC -> {
                super.visitLdcInsn(field);
                tells("getsStatic", "(Ljava/lang/String;)V");
            }
            default -> {
                super.visitLdcInsn(field);
                tells("putsStatic", "(Ljava/lang/String;)V");
            }
        }
    }

    private void tellsPut(String field, Type type) {
        if (type.getSize() == 2) {
            super.visitInsn(Opcodes.DUP2_X1);
            super.visitInsn(Opcodes.POP2);
            super.visitInsn(Opcodes.DUP_X2);
        } else {
            super.visitInsn(Opcodes.SWAP);
            super.visitInsn(Opcodes.DUP_X1);
        }
        if (type.getSort() >= Type.ARRAY) {
            // The stack is object, value, object: the value is recorded as well.
            super.visitInsn(Opcodes.SWAP);
            super.visitInsn(Opcodes.DUP_X1);
            super.visitLdcInsn(field);
            tells("putsReference", "(" + OBJECT + OBJECT + "Ljava/lang/String;)V");
            return;
        }
        super.visitLdcInsn(field);
        tells("puts", "(" + OBJECT + "Ljava/lang/String;)V");
    }

    @Override
    public void visitInsn(int opcode) {
        switch (opcode) {
            case Opcodes.MONITORENTER -> {
                super.visitInsn(Opcodes.DUP);
                tells("polls", "()V");
                super.visitInsn(opcode);
                tells("locked", "(" + OBJECT + ")V");
            }
            case Opcodes.MONITOREXIT -> {
                super.visitInsn(Opcodes.DUP);
                tells("unlocks", "(" + OBJECT + ")V");
                super.visitInsn(opcode);
            }
            default -> {
                tellsElement(opcode);
                tellsReturn(opcode);
                super.visitInsn(opcode);
            }
        }
    }

    private void tellsElement(int opcode) {
        String descriptor = "(" + OBJECT + "I)V";
        if (opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD) {
            super.visitInsn(Opcodes.DUP2);
            tells("loads", descriptor);
        } else if (opcode == Opcodes.LASTORE || opcode == Opcodes.DASTORE) {
            super.visitInsn(Opcodes.DUP2_X2);
            super.visitInsn(Opcodes.POP2);
            super.visitInsn(Opcodes.DUP2_X2);
            tells("stores", descriptor);
        } else if (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE) {
            super.visitInsn(Opcodes.DUP_X2);
            super.visitInsn(Opcodes.POP);
            super.visitInsn(Opcodes.DUP2_X1);
            tells("stores", descriptor);
        }
    }

    private void tellsReturn(int opcode) {
        boolean isReturn = opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN;
        if (isReturn && has(Opcodes.ACC_SYNCHRONIZED) && of.hasClassConstants()) {
            pushMonitor();
            tells("unlocks", "(" + OBJECT + ")V");
        }
    }
}
