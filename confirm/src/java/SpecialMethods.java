package asercheck.confirm;

import java.util.Arrays;
import java.util.List;

/** Methods of the class library with hooks of their own: those that park, give up, or reach outside of the target. */
final class SpecialMethods {
    private static final String LOCK_SUPPORT = "java/util/concurrent/locks/LockSupport";
    private static final int LLOAD_0 = 0x1e;
    private static final String THREAD = "java/lang/Thread";

    private SpecialMethods() {}

    /** Whether a class has such methods. */
    static boolean has(String type) {
        if (type.equals(LOCK_SUPPORT) || type.equals(THREAD)) {
            return true;
        }
        for (String[] row : GuardedMethods.METHODS) {
            if (row[1].replace('.', '/').equals(type)) {
                return true;
            }
        }
        return gives(type, null);
    }

    private static boolean gives(String type, String method) {
        if (type.equals("java/lang/Object")) {
            return false;
        }
        for (String[] row : GuardedMethods.DEPENDING) {
            if (row[0].replace('.', '/').equals(type)
                    && (method == null || Arrays.asList(row[1].split(",")).contains(method))) {
                return true;
            }
        }
        return false;
    }

    /** Adds the hooks of a method. */
    static void add(MethodHooks hooks, String type, boolean isStatic) {
        if (type.equals(LOCK_SUPPORT)) {
            lockSupport(hooks);
        } else if (type.equals(THREAD) && hooks.method.equals("interrupt")) {
            hooks.prologue(hooks.call(new Bytes().u1(0x2a), "interrupted", "(Ljava/lang/Object;)V"), 1, false);
        } else if (gives(type, hooks.method)) {
            hooks.tried();
        }
        for (int row = 0; row < GuardedMethods.METHODS.length; row++) {
            String[] guarded = GuardedMethods.METHODS[row];
            boolean isMeant = guarded[1].replace('.', '/').equals(type)
                    && Arrays.asList(guarded[2].split(",")).contains(hooks.method);
            if (isMeant) {
                guard(hooks, row, isStatic);
            }
        }
    }

    private static void lockSupport(MethodHooks hooks) {
        if (hooks.method.equals("unpark")) {
            hooks.prologue(hooks.call(new Bytes().u1(0x2a), "unpark", "(Ljava/lang/Object;)V"), 1, false);
        } else if (Arrays.asList("park", "parkNanos", "parkUntil").contains(hooks.method)) {
            Bytes hook = new Bytes();
            if (hooks.method.equals("park")) {
                hooks.call(hook, "park", "()Z");
            } else {
                boolean isFirst = hooks.descriptor.startsWith("(J");
                hook.u1(isFirst ? LLOAD_0 : LLOAD_0 + 1);
                hooks.call(hook, hooks.method, "(J)Z");
            }
            // If the scheduler has parked the thread, the method returns.
            hook.u1(0x99).u2(4).u1(0xb1);
            hooks.prologue(hook, 2, true);
        }
    }

    /**
     * Passes the first argument if it is an object, otherwise null, and the second one if it is a number. A method that
     * ends the program has only a number.
     */
    private static void guard(MethodHooks hooks, int row, boolean isStatic) {
        List<String> parameters = parameters(hooks.descriptor);
        int first = isStatic ? 0 : 1;
        Bytes hook = new Bytes();
        boolean isObject = !parameters.isEmpty() && "L[".indexOf(parameters.get(0).charAt(0)) >= 0;
        if (isObject) {
            hook.u1(0x19).u1(first);
        } else {
            hook.u1(1);
        }
        boolean isNumber = isObject && parameters.size() > 1 && parameters.get(1).equals("I");
        if (GuardedMethods.METHODS[row][0].equals(GuardedMethods.END)) {
            hook.u1(0x15).u1(first);
        } else if (isNumber) {
            hook.u1(0x15).u1(first + 1);
        } else {
            hook.u1(2);
        }
        hook.u1(0x10).u1(row);
        hooks.prologue(hooks.call(hook, "guard", "(Ljava/lang/Object;II)V"), 3, false);
    }

    /** Returns the descriptors of the parameters of a method. */
    static List<String> parameters(String descriptor) {
        List<String> all = new java.util.ArrayList<>();
        int place = 1;
        while (descriptor.charAt(place) != ')') {
            int begin = place;
            while (descriptor.charAt(place) == '[') {
                place++;
            }
            place = descriptor.charAt(place) == 'L' ? descriptor.indexOf(';', place) + 1 : place + 1;
            all.add(descriptor.substring(begin, place));
        }
        return all;
    }
}
