package order;

/** A class is looked up when it is first asked for, as compilers did before there were constants of classes. */
public class CachedOnce {
    static Class<?> class$java$lang$String;
    static String text;

    static Class<?> look(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException fault) {
            throw new NoClassDefFoundError(fault.getMessage());
        }
    }

    public static boolean isText(Object any) {
        if (class$java$lang$String == null) {
            class$java$lang$String = look("java.lang.String");
        }
        return class$java$lang$String == any.getClass();
    }

    public static synchronized String rename(String to) {
        String old = text;
        text = to;
        return old;
    }
}
