package asercheck.confirm;

import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The breakpoints of a run of a whole program. They are set in each class when it is loaded. */
final class ProgramStops {
    /** The number of visits after which threads no longer stop at a place, because the run would take too long. */
    private static final int MAX_VISITS = 6_000;
    private static final String[] OF_JAVA = {"java.*", "javax.*", "jdk.*", "sun.*", "com.sun.*", "asercheck.confirm.*"};

    private final ProgramMachine machine;
    private final ProgramPlan plan;
    private final Map<Location, Stop> stops = new LinkedHashMap<>();

    /** A place at which threads stop. */
    static final class Stop {
        final Set<ProgramPlan.Kind> kinds = EnumSet.noneOf(ProgramPlan.Kind.class);
        boolean isPoint;
        /** Whether a wait with a timeout begins here. */
        boolean isTimed;
        int visits;
        BreakpointRequest request;

        /** Counts a visit. Disables the breakpoint after the last one that stops threads. */
        void visit() {
            visits++;
            if (visits >= MAX_VISITS) {
                request.disable();
            }
        }
    }

    ProgramStops(ProgramMachine machine, ProgramPlan plan) {
        this.machine = machine;
        this.plan = plan;
    }

    /** Requests events for the classes of the program. */
    void install() {
        ClassPrepareRequest request = machine.vm.eventRequestManager().createClassPrepareRequest();
        for (String one : OF_JAVA) {
            request.addClassExclusionFilter(one);
        }
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        request.enable();
    }

    /** Sets the breakpoints of a class that was loaded. */
    void prepared(ReferenceType type) {
        String source;
        try {
            source = type.sourceName();
        } catch (AbsentInformationException none) {
            return;
        }
        List<ProgramPlan.Place> places = new ArrayList<>();
        for (ProgramPlan.Place place : plan.places) {
            if (place.file.equals(source)) {
                places.add(place);
            }
        }
        boolean hasPoint = plan.point != null && plan.point.type.equals(type.name());
        ProgramCode code = new ProgramCode(type);
        for (Method method : type.methods()) {
            if (!method.isAbstract() && !method.isNative()) {
                prepared(method, code, places, hasPoint);
            }
        }
        for (Stop stop : stops.values()) {
            stop.request.enable();
        }
    }

    private void prepared(Method method, ProgramCode code, List<ProgramPlan.Place> places, boolean hasPoint) {
        Set<ProgramPlan.Place> begun = new HashSet<>();
        Map<ProgramPlan.Place, Location> after = new HashMap<>();
        Set<ProgramPlan.Place> ending = new HashSet<>();
        for (int index : Instructions.starts(method.bytecodes())) {
            Location location = method.locationOfCodeIndex(index);
            if (location == null) {
                continue;
            }
            ending.forEach(place -> after.put(place, location));
            ending.clear();
            String called = code.called(method, index);
            if (called != null && (called.equals("wait:(J)V") || called.equals("wait:(JI)V"))) {
                at(location).isTimed = true;
            }
            if (hasPoint && index == plan.point.index && method.name().equals(plan.point.method)
                    && method.signature().equals(plan.point.descriptor)) {
                at(location).isPoint = true;
            }
            boolean isAccess = code.at(method, index).kind != null || called != null;
            for (ProgramPlan.Place place : places) {
                if (!isAccess || place.line != location.lineNumber() || place.kind.isFirst() && !begun.add(place)) {
                    continue;
                }
                if (place.kind.isLast()) {
                    ending.add(place);
                    continue;
                }
                at(location).kinds.add(place.kind);
            }
        }
        after.forEach((place, location) -> at(location).kinds.add(place.kind));
    }

    private Stop at(Location location) {
        return stops.computeIfAbsent(location, where -> {
            Stop stop = new Stop();
            stop.request = machine.vm.eventRequestManager().createBreakpointRequest(where);
            stop.request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            stop.request.putProperty("stop", stop);
            return stop;
        });
    }

    /** Returns the visited accesses of the unit: {@code class method descriptor index visits line}. */
    List<String> points() {
        List<String> texts = new ArrayList<>();
        stops.forEach((location, stop) -> {
            if (stop.kinds.contains(ProgramPlan.Kind.UNIT_ACCESS) && stop.visits > 0) {
                Method method = location.method();
                Point point = new Point(location.declaringType().name(), method.name(), method.signature(),
                        location.codeIndex(), stop.visits);
                texts.add(point.text() + " " + location.lineNumber());
            }
        });
        return texts;
    }
}
