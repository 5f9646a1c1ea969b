package asercheck.confirm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The callers of the methods of the class path. A call may lead to each method with its name and descriptor in a class
 * above or below the named one. So there can be callers that never call; a client of them only observes less.
 */
final class CallGraph {
    /** The longest path from a method to the caller that a client calls. */
    private static final int MAX_STEPS = 6;
    private static final int MAX_METHODS = 300;

    private final Map<String, ClassFile> classes = new HashMap<>();
    /** The calls by the name and descriptor of the called method. */
    private final Map<String, List<Site>> sites = new LinkedHashMap<>();

    private static final class Site {
        final Member caller;
        /** The class that the call names. */
        final String owner;

        Site(Member caller, String owner) {
            this.caller = caller;
            this.owner = owner;
        }
    }

    /** A method: its class, its name and descriptor. */
    static final class Member {
        final String type;
        final String key;

        Member(String type, String key) {
            this.type = type;
            this.key = key;
        }

        @Override
        public String toString() {
            return type + "." + key;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Member && toString().equals(other.toString());
        }

        @Override
        public int hashCode() {
            return toString().hashCode();
        }
    }

    CallGraph(Iterable<ClassFile> files) {
        for (ClassFile file : files) {
            classes.put(file.name, file);
            for (ClassFile.Body body : file.bodies) {
                Member caller = new Member(file.name, body.key);
                for (String call : body.calls()) {
                    int dot = call.lastIndexOf('.', call.indexOf('('));
                    Site site = new Site(caller, call.substring(0, dot));
                    sites.computeIfAbsent(call.substring(dot + 1), any -> new ArrayList<>()).add(site);
                }
            }
        }
    }

    /** Returns the methods from which calls lead to a method, the nearest first; without the method itself. */
    List<Member> callersOf(Member method) {
        Set<Member> found = new LinkedHashSet<>();
        ArrayDeque<Member> queue = new ArrayDeque<>(Collections.singleton(method));
        Map<Member, Integer> steps = new HashMap<>(Collections.singletonMap(method, 0));
        while (!queue.isEmpty() && found.size() < MAX_METHODS) {
            Member next = queue.remove();
            for (Site site : sites.getOrDefault(next.key, Collections.emptyList())) {
                boolean isNew = !steps.containsKey(site.caller) && mayCall(site, next);
                if (isNew && steps.get(next) < MAX_STEPS) {
                    steps.put(site.caller, steps.get(next) + 1);
                    found.add(site.caller);
                    queue.add(site.caller);
                }
            }
        }
        return new ArrayList<>(found);
    }

    /** Calls by a name of the class library are only followed within one source file: they may mean many classes. */
    private boolean mayCall(Site site, Member method) {
        if (!classes.containsKey(site.owner)) {
            return top(site.caller.type).equals(top(method.type)) && isAbove(site.owner, method.type);
        }
        return isAbove(site.owner, method.type) || isAbove(method.type, site.owner);
    }

    private static String top(String type) {
        int dollar = type.indexOf('$');
        return dollar < 0 ? type : type.substring(0, dollar);
    }

    private boolean isAbove(String upper, String lower) {
        Set<String> seen = new LinkedHashSet<>();
        ArrayDeque<String> queue = new ArrayDeque<>(Collections.singleton(lower));
        while (!queue.isEmpty()) {
            String next = queue.remove();
            if (next.equals(upper)) {
                return true;
            }
            ClassFile file = classes.get(next);
            if (file != null && seen.add(next)) {
                queue.addAll(file.above);
            }
        }
        return false;
    }
}
