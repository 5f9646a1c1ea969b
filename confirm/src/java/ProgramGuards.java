package asercheck.confirm;

import com.sun.jdi.ClassObjectReference;
import com.sun.jdi.Field;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.InternalException;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.LongValue;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.EventRequestManager;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Breakpoints in methods that reach outside of the target, and in methods whose results depend on time. */
final class ProgramGuards {
    private final ProgramMachine machine;
    private final String folder;
    private final List<BreakpointRequest> depending = new ArrayList<>();
    private boolean hasDepended;
    /** Whether the target runs a whole program, so that no thread makes clients. */
    private boolean isOfProgram;

    ProgramGuards(ProgramMachine machine, File folder) {
        this.machine = machine;
        String path;
        try {
            path = folder.getCanonicalPath();
        } catch (IOException unknown) {
            path = folder.getAbsolutePath();
        }
        this.folder = path + File.separator;
    }

    /** Sets the breakpoints for clients. */
    void install() {
        install("");
    }

    /** Sets the breakpoints for a whole program, which may end itself. */
    void installForProgram() {
        isOfProgram = true;
        install(GuardedMethods.END);
    }

    private void install(String allowed) {
        for (String[] row : GuardedMethods.METHODS) {
            for (Method method : row[0].equals(allowed) ? new ArrayList<Method>() : methods(row[1], row[2])) {
                request(method, row).enable();
            }
        }
        for (String[] row : GuardedMethods.DEPENDING) {
            for (Method method : methods(row[0], row[1])) {
                depending.add(request(method, row));
            }
        }
    }

    private List<Method> methods(String type, String names) {
        List<Method> found = new ArrayList<>();
        ReferenceType loaded = machine.type(type);
        List<String> wanted = Arrays.asList(names.split(","));
        for (Method method : loaded == null ? new ArrayList<Method>() : loaded.methods()) {
            if (wanted.contains(method.name()) && !method.isNative() && !method.isAbstract()) {
                found.add(method);
            }
        }
        return found;
    }

    private BreakpointRequest request(Method method, String[] row) {
        EventRequestManager manager = machine.vm.eventRequestManager();
        BreakpointRequest request = manager.createBreakpointRequest(method.locationOfCodeIndex(0));
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        request.putProperty("row", row);
        return request;
    }

    /** Begins a run. In a forced run, calls that depend on time are noticed. */
    void watch(boolean isForced) {
        hasDepended = false;
        for (BreakpointRequest request : depending) {
            if (request.isEnabled() != isForced) {
                request.setEnabled(isForced);
            }
        }
    }

    /**
     * A thread enters a method of {@code Object}. A wait with a timeout depends on time; a native one has no arguments
     * to read.
     */
    void entered(MethodEntryEvent event) {
        String name = event.method().name() + event.method().signature();
        if (!name.startsWith("wait") || name.startsWith("wait0") || name.equals("wait()V")) {
            return;
        }
        try {
            List<StackFrame> frames = event.thread().frames();
            Method caller = frames.size() < 2 ? null : frames.get(1).location().method();
            boolean isEndless = caller != null && caller.name().equals("wait") && caller.signature().equals("()V")
                    && caller.declaringType().name().equals("java.lang.Object");
            hasDepended |= !isEndless;
        } catch (IncompatibleThreadStateException unknown) {
            hasDepended = true;
        }
    }

    /** Whether the result of a call has depended on time since the run began. */
    boolean hasDepended() {
        return hasDepended;
    }

    /** Returns the forbidden effect that a thread is about to have; null if there is none. */
    String forbidden(BreakpointEvent event) {
        String[] row = (String[]) event.request().getProperty("row");
        if (row == null) {
            return null;
        }
        try {
            List<Value> given = event.thread().frame(0).getArgumentValues();
            boolean isAsked = isOfProgram ? !firstCalled(event.thread()).isEmpty() : !event.thread().name().equals("main");
            if (row.length == 2 && isAsked) {
                hasDepended |= depends(event, row, given);
            }
            return row.length == 2 ? null : forbidden(row, given);
        } catch (IncompatibleThreadStateException | InternalException unknown) {
            return row.length == 2 ? null : row[0];
        }
    }

    /** Returns the name of the first method of the class path that a thread called. */
    static String firstCalled(ThreadReference thread) {
        try {
            List<StackFrame> frames = thread.frames();
            for (int i = frames.size() - 1; i >= 0; i--) {
                Method method = frames.get(i).location().method();
                String type = method.declaringType().name();
                if (method.declaringType().classLoader() != null && !type.startsWith("asercheck.confirm.")) {
                    return method.name();
                }
            }
        } catch (IncompatibleThreadStateException unknown) {
            return "";
        }
        return "";
    }

    private String forbidden(String[] row, List<Value> given) {
        int place = Integer.parseInt(row[3]);
        if (row[1].equals("java.lang.Runtime") && !given.isEmpty() && isOfJava(given.get(0))) {
            return null;
        }
        if (place < 0) {
            return row[0];
        }
        if (given.size() > 1 && isOnlyRead(row, given)) {
            return null;
        }
        String path = path(given.get(place));
        return path != null && isWithin(path) ? null : row[0] + (path == null ? "" : " (" + path + ")");
    }

    /** Whether the class that loads a native library is in the class library. */
    private static boolean isOfJava(Value caller) {
        return caller instanceof ClassObjectReference
                && ((ClassObjectReference) caller).reflectedType().classLoader() == null;
    }

    private static boolean isOnlyRead(String[] row, List<Value> given) {
        Value mode = given.get(1);
        if (row[1].endsWith("RandomAccessFile")) {
            // O_RDONLY of RandomAccessFile.
            return mode instanceof IntegerValue && (((IntegerValue) mode).value() & 1) != 0;
        }
        if (row[1].endsWith("UnixNativeDispatcher") && row[2].startsWith("open")) {
            // None of O_WRONLY, O_RDWR and O_CREAT (Linux or macOS).
            return mode instanceof IntegerValue && (((IntegerValue) mode).value() & (3 | 0x40 | 0x200)) == 0;
        }
        return false;
    }

    private boolean isWithin(String path) {
        if (path.equals("/dev/null") || path.isEmpty()) {
            return true;
        }
        try {
            File file = new File(path);
            File absolute = file.isAbsolute() ? file : new File(folder, path);
            return (absolute.getCanonicalPath() + File.separator).startsWith(folder);
        } catch (IOException unknown) {
            return false;
        }
    }

    /** Returns the path of a string, a file or a path object. */
    private static String path(Value value) {
        if (value instanceof StringReference) {
            return ((StringReference) value).value();
        }
        if (value instanceof ObjectReference) {
            ObjectReference object = (ObjectReference) value;
            Field field = object.referenceType().fieldByName("path");
            Value inner = field == null ? null : object.getValue(field);
            if (inner instanceof StringReference) {
                return ((StringReference) inner).value();
            }
            if (inner instanceof com.sun.jdi.ArrayReference) {
                return bytes((com.sun.jdi.ArrayReference) inner);
            }
        }
        return null;
    }

    private static String bytes(com.sun.jdi.ArrayReference array) {
        StringBuilder text = new StringBuilder();
        for (Value value : array.getValues()) {
            text.append((char) (((com.sun.jdi.PrimitiveValue) value).byteValue() & 0xff));
        }
        return text.toString();
    }

    /** Whether a result depends on time: a try for a lock that another thread holds, or a wait with a timeout. */
    private boolean depends(BreakpointEvent event, String[] row, List<Value> given) throws IncompatibleThreadStateException {
        if (row[0].equals("java.lang.Object")) {
            return !given.isEmpty() && given.get(0) instanceof LongValue && ((LongValue) given.get(0)).value() > 0;
        }
        ObjectReference lock = event.thread().frame(0).thisObject();
        boolean isSemaphore = row[0].endsWith("Semaphore");
        if (lock == null || !(isSemaphore || row[1].equals("tryLock"))) {
            return true;
        }
        Value sync = value(lock, "sync");
        Value state = sync instanceof ObjectReference ? value((ObjectReference) sync, "state") : null;
        if (!(state instanceof IntegerValue)) {
            return true;
        }
        int count = ((IntegerValue) state).value();
        Value owner = value((ObjectReference) sync, "exclusiveOwnerThread");
        return isSemaphore ? count <= 0 : count != 0 && !event.thread().equals(owner);
    }

    private static Value value(ObjectReference object, String name) {
        Field field = object.referenceType().fieldByName(name);
        return field == null ? null : object.getValue(field);
    }
}
