package recorder;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.internal.org.objectweb.asm.ClassVisitor;
import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;
import jdk.internal.org.objectweb.asm.Type;

/**
 * Adds calls of the {@link Recorder} to a class. Library methods are called through added methods, which record the
 * beginning and the end of the call.
 */
final class Instrumenter extends ClassVisitor {
    static final String RECORDER = "recorder/Recorder";

    /** A call of a library method. */
    record Call(int opcode, String owner, String name, String descriptor, boolean isInterface) {}

    private final Given given;
    private final Map<Call, String> bridges = new LinkedHashMap<>();
    private String name;
    private int version;
    private boolean isInterface;

    Instrumenter(ClassVisitor next, Given given) {
        super(Opcodes.ASM8, next);
        this.given = given;
    }

    @Override
    public void visit(int version, int access, String name, String signature, String above, String[] interfaces) {
        this.name = name;
        this.version = version & 0xffff;
        isInterface = (access & Opcodes.ACC_INTERFACE) != 0;
        super.visit(version, access, name, signature, above, interfaces);
    }

    /** Omits permitted subclasses; versions of the library have different names for them. */
    public void visitPermittedSubclass(String subclass) {}

    public void visitPermittedSubclassExperimental(String subclass) {}

    @Override
    public MethodVisitor visitMethod(int access, String method, String descriptor, String signature, String[] thrown) {
        MethodVisitor next = super.visitMethod(access, method, descriptor, signature, thrown);
        boolean isCode = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
        boolean isTold = isCode && !method.equals("<clinit>");
        return isTold ? new MethodInstrumenter(next, this, access, method, descriptor) : next;
    }

    String name() {
        return name;
    }

    boolean isInterface() {
        return isInterface;
    }

    /** Whether the constant pool may have classes as values. */
    boolean hasClassConstants() {
        return version >= Opcodes.V1_5;
    }

    /** Returns the method that replaces a call; null if the call is not recorded. */
    String bridge(Call call) {
        return isTold(call) ? bridges.computeIfAbsent(call, made -> "$recorded" + bridges.size()) : null;
    }

    private boolean isTold(Call call) {
        if (call.name.equals("<init>") || !given.isLibrary(call.owner, call.name, call.descriptor)) {
            return false;
        }
        if (call.opcode == Opcodes.INVOKESTATIC) {
            return call.owner.startsWith("java/util/") || call.owner.equals("java/lang/System");
        }
        return switch (call.owner) {
            case "java/lang/String", "java/io/PrintStream", "java/lang/Integer", "java/lang/Long" -> false;
            default -> true;
        };
    }

    /** Returns the descriptor of the method that replaces a call. */
    String bridgeDescriptor(Call call) {
        List<Type> parameters = new ArrayList<>();
        if (call.opcode != Opcodes.INVOKESTATIC) {
            String receiver = call.opcode == Opcodes.INVOKESPECIAL ? name : call.owner;
            parameters.add(Type.getObjectType(receiver));
        }
        parameters.addAll(List.of(Type.getArgumentTypes(call.descriptor)));
        return Type.getMethodDescriptor(Type.getReturnType(call.descriptor), parameters.toArray(new Type[0]));
    }

    @Override
    public void visitEnd() {
        bridges.forEach(this::write);
        super.visitEnd();
    }

    private void write(Call call, String bridge) {
        String descriptor = bridgeDescriptor(call);
        int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;
        MethodVisitor code = super.visitMethod(access, bridge, descriptor, null, null);
        Type[] parameters = Type.getArgumentTypes(descriptor);
        Type result = Type.getReturnType(descriptor);
        int token = 0;
        for (Type parameter : parameters) {
            token += parameter.getSize();
        }
        code.visitCode();
        Label begin = new Label();
        Label end = new Label();
        Label handler = new Label();
        code.visitTryCatchBlock(begin, end, handler, null);
        begins(code, call, parameters, token);
        code.visitLabel(begin);
        int place = 0;
        for (Type parameter : parameters) {
            code.visitVarInsn(parameter.getOpcode(Opcodes.ILOAD), place);
            place += parameter.getSize();
        }
        code.visitMethodInsn(call.opcode, call.owner, call.name, call.descriptor, call.isInterface);
        code.visitLabel(end);
        ends(code, result, token);
        code.visitLabel(handler);
        frame(code, parameters);
        code.visitVarInsn(Opcodes.ALOAD, token);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, RECORDER, "failed", "(Ljava/lang/Object;)V", false);
        code.visitInsn(Opcodes.ATHROW);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    /** Records the beginning of the call, with the receiver (or null) and all arguments that are references. */
    private void begins(MethodVisitor code, Call call, Type[] parameters, int token) {
        code.visitLdcInsn(call.owner + "." + call.name);
        code.visitIntInsn(Opcodes.SIPUSH, parameters.length);
        code.visitTypeInsn(Opcodes.ANEWARRAY, "java/lang/Object");
        int place = 0;
        for (int index = 0; index < parameters.length; index++) {
            if (parameters[index].getSort() >= Type.ARRAY) {
                code.visitInsn(Opcodes.DUP);
                code.visitIntInsn(Opcodes.SIPUSH, index);
                code.visitVarInsn(Opcodes.ALOAD, place);
                code.visitInsn(Opcodes.AASTORE);
            }
            place += parameters[index].getSize();
        }
        code.visitInsn(call.opcode == Opcodes.INVOKESTATIC ? Opcodes.ICONST_0 : Opcodes.ICONST_1);
        String descriptor = "(Ljava/lang/String;[Ljava/lang/Object;Z)Ljava/lang/Object;";
        code.visitMethodInsn(Opcodes.INVOKESTATIC, RECORDER, "before", descriptor, false);
        code.visitVarInsn(Opcodes.ASTORE, token);
    }

    /** Records the result of the call and returns it. */
    private static void ends(MethodVisitor code, Type result, int token) {
        switch (result.getSort()) {
            case Type.VOID -> code.visitInsn(Opcodes.ACONST_NULL);
            case Type.BOOLEAN -> {
                code.visitInsn(Opcodes.DUP);
                boxes(code, "java/lang/Boolean", "Z");
            }
            case Type.LONG -> {
                code.visitInsn(Opcodes.DUP2);
                boxes(code, "java/lang/Long", "J");
            }
            case Type.OBJECT, Type.ARRAY -> code.visitInsn(Opcodes.DUP);
            default -> code.visitInsn(Opcodes.ACONST_NULL);
        }
        code.visitVarInsn(Opcodes.ALOAD, token);
        String descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)V";
        code.visitMethodInsn(Opcodes.INVOKESTATIC, RECORDER, "after", descriptor, false);
        code.visitInsn(result.getOpcode(Opcodes.IRETURN));
    }

    private static void boxes(MethodVisitor code, String of, String type) {
        code.visitMethodInsn(Opcodes.INVOKESTATIC, of, "valueOf", "(" + type + ")L" + of + ";", false);
    }

    /** Writes the stack map of the handler: the parameters, the token, and the exception. */
    private void frame(MethodVisitor code, Type[] parameters) {
        if (version < Opcodes.V1_6) {
            return;
        }
        List<Object> locals = new ArrayList<>();
        for (Type parameter : parameters) {
            locals.add(verified(parameter));
        }
        locals.add("java/lang/Object");
        Object[] stack = {"java/lang/Throwable"};
        code.visitFrame(Opcodes.F_FULL, locals.size(), locals.toArray(), 1, stack);
    }

    private static Object verified(Type type) {
        return switch (type.getSort()) {
            case Type.BOOLEAN, Type.BYTE, Type.CHAR, Type.SHORT, Type.INT -> Opcodes.INTEGER;
            case Type.FLOAT -> Opcodes.FLOAT;
            case Type.LONG -> Opcodes.LONG;
            case Type.DOUBLE -> Opcodes.DOUBLE;
            default -> type.getInternalName();
        };
    }
}
