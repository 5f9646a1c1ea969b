package recorder;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import jdk.internal.org.objectweb.asm.ClassReader;
import jdk.internal.org.objectweb.asm.ClassWriter;

/** The Java agent: it instruments the classes that a {@link SubjectLoader} loads with calls of the {@link Recorder}. */
public final class Agent implements ClassFileTransformer {
    private Agent() {}

    public static void premain(String arguments, Instrumentation instrumentation) {
        instrumentation.addTransformer(new Agent());
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] code) {
        if (!(loader instanceof SubjectLoader subjects) || old != null) {
            return null;
        }
        byte[] known = name == null ? null : subjects.recorded(name);
        if (known != null) {
            return known;
        }
        try {
            ClassReader reader = new ClassReader(code);
            ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
            reader.accept(new Instrumenter(writer, subjects.given()), 0);
            byte[] made = writer.toByteArray();
            // Hidden classes of lambdas are loaded under the name of their class; they are no classes of the folder.
            if (name != null && name.equals(reader.getClassName()) && subjects.given().has(name)) {
                subjects.keep(name, made);
            }
            return made;
        } catch (RuntimeException | Error problem) {
            // The virtual machine ignores exceptions of a transformer.
            System.err.println(name + " is not recorded: " + problem);
            return null;
        }
    }
}
