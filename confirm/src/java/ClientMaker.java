package asercheck.confirm;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes the client of a seed: one that calls the methods of the finding itself or, if that fails, one that calls
 * methods of another class from which calls lead to both of them. Equal requests give equal clients.
 */
final class ClientMaker {
    /** The number of other classes that a seed tries. */
    private static final int MAX_FACADES = 4;
    /** Of so many seeds, one uses an object of a test first. */
    private static final int TEST_SEEDS = 3;
    /** The number of moments of tests that a seed tries. */
    private static final int MAX_MOMENTS = 4;
    /** The number of clients that a seed tries to run. */
    private static final int MAX_CLIENTS = 60;
    /** The same for one class. */
    private static final int MAX_REPAIRS = 25;
    /** The number of calls of a preparation that may not end. */
    private static final int MAX_ENDLESS = 2;

    private final ClientTypes types;
    /** The number of clients that the seed may still try. */
    private int left;

    ClientMaker(Types types) {
        this.types = new ClientTypes(types);
    }

    /** A demand for a client. */
    static final class Request {
        final String subject;
        final boolean isStatic;
        final int seed;
        final List<String> avoided;
        /** The unit, then the interfering methods. */
        final List<String> methods;
        /** The names of the fields of the finding. */
        final Set<String> fields;

        Request(String subject, boolean isStatic, int seed, List<String> avoided, List<String> methods,
                Set<String> fields) {
            this.fields = fields;
            this.subject = subject;
            this.isStatic = isStatic;
            this.seed = seed;
            this.avoided = avoided;
            this.methods = methods;
        }
    }

    Client make(Request request) throws CreationException, InterruptedException {
        left = MAX_CLIENTS;
        if (request.seed % TEST_SEEDS == 1) {
            Client ofTest = ofTest(request, request.seed / TEST_SEEDS);
            if (ofTest != null) {
                return ofTest;
            }
        }
        // Every second client of a class that is not public uses public ones if there are some.
        boolean isHidden = !java.lang.reflect.Modifier.isPublic(types.types.load(request.subject).getModifiers());
        Client facade = isHidden && request.seed % 2 == 1 ? facade(request) : null;
        if (facade != null) {
            return facade;
        }
        CreationException why;
        try {
            return repaired(request, false);
        } catch (CreationException direct) {
            why = direct;
        }
        facade = facade(request);
        if (facade != null) {
            return facade;
        }
        Client ofTest = ofTest(request, request.seed);
        if (ofTest != null) {
            return ofTest;
        }
        try {
            return repaired(request, true);
        } catch (CreationException also) {
            throw why;
        }
    }

    /**
     * Returns a client with an object of a test; null if there is none. The moments are tried in their order from the
     * one with a number on.
     */
    private Client ofTest(Request request, int number) throws InterruptedException {
        if (request.isStatic) {
            return null;
        }
        List<TestMoment> all = types.moments.of(request.subject, request.methods);
        for (int i = number; i < Math.min(number + MAX_MOMENTS, all.size()); i++) {
            try {
                Client client = made(request, new Hints(), false, all.get(i), null);
                if (client != null) {
                    client.way = last(way(client, false), Client.Way.TESTS);
                    return client;
                }
            } catch (CreationException impossible) {
                continue;
            } finally {
                TestRun.end();
            }
        }
        return null;
    }

    /** Returns a client that uses another class; null if there is none. */
    private Client facade(Request request) throws InterruptedException {
        List<Request> facades = facades(request);
        for (int i = 0; i < Math.min(MAX_FACADES, facades.size()); i++) {
            try {
                Client client = repaired(facades.get((request.seed + i) % facades.size()), false);
                client.way = last(client.way, Client.Way.CALLERS);
                return client;
            } catch (CreationException skipped) {
                continue;
            }
        }
        return null;
    }

    /**
     * Plans clients until the objects of one can be made, each with one other choice. It takes much time to load
     * classes for each attempt. So all attempts have the same classes first; the client then has to do with new ones.
     * If there is no such client, earlier attempts may have left a state in the classes; then each attempt has new
     * classes.
     */
    private Client repaired(Request request, boolean isApproximate) throws CreationException, InterruptedException {
        Client client = null;
        try {
            client = repaired(request, isApproximate, types.types.fresh());
        } catch (CreationException failed) {
            if (failed.isEndless) {
                throw failed;
            }
        }
        return client != null ? client : repaired(request, isApproximate, null);
    }

    /** The same with the classes of a loader that is new; null if a client does not do with new classes. */
    private Client repaired(Request request, boolean isApproximate, ClassLoader kept)
            throws CreationException, InterruptedException {
        Hints hints = new Hints();
        Repair repair = new Repair(hints, types);
        CreationException first = null;
        for (int i = 0; i <= MAX_REPAIRS && left > 0; i++) {
            left -= kept == null ? 1 : 0;
            Client client = null;
            Client.Failure[] failure = new Client.Failure[1];
            try {
                client = planned(request, hints, isApproximate, null);
                Stub.asked();
                String why = tried(client, failure, kept);
                if (why == null && failure[0] == null) {
                    boolean isFilled = fill(request, isApproximate, hints, client, kept);
                    boolean isNew = !isFilled && (kept == null || i == 0);
                    return isNew ? withWay(client, hints) : again(request, isApproximate, hints);
                }
                String text = why != null ? why : new ValuePrinter().threw(failure[0].thrown);
                first = first == null ? new CreationException("making the objects " + text, why != null) : first;
                if (why != null) {
                    break;
                }
            } catch (CreationException impossible) {
                first = first == null ? impossible : first;
            }
            if (!repair.next(client, failure[0])) {
                break;
            }
        }
        throw first == null ? new CreationException("too many attempts") : first;
    }

    /**
     * Sets the properties of the arguments with which preparing calls of a client threw exceptions. Returns whether
     * fewer calls then do so; otherwise the choices stay as they are.
     */
    private boolean fill(Request request, boolean isApproximate, Hints hints, Client client, ClassLoader kept)
            throws CreationException, InterruptedException {
        List<List<Hints.Change>> fillings = Repair.fillings(client);
        if (fillings.isEmpty()) {
            return false;
        }
        List<Hints.Change> back = new ArrayList<>();
        fillings.forEach(changes -> changes.forEach(change -> back.add(0, hints.apply(change))));
        Client filled = made(request, hints, isApproximate, null, kept);
        boolean helps = filled != null && Repair.fillings(filled).size() < fillings.size();
        if (!helps) {
            back.forEach(hints::apply);
        }
        return helps;
    }

    /** Returns the client of some choices, if it does with new classes; otherwise null. */
    private Client again(Request request, boolean isApproximate, Hints hints)
            throws CreationException, InterruptedException {
        Client client = made(request, hints, isApproximate, null, null);
        return client == null ? null : withWay(client, hints);
    }

    /**
     * Returns the client of some choices if its objects can be made with the classes of a loader, or with new ones if
     * {@code kept} is null; otherwise null.
     */
    private Client made(Request request, Hints hints, boolean isApproximate, TestMoment moment, ClassLoader kept)
            throws CreationException, InterruptedException {
        Client client = planned(request, hints, isApproximate, moment);
        Client.Failure[] failure = new Client.Failure[1];
        String why = tried(client, failure, kept);
        return why == null && failure[0] == null ? client : null;
    }

    /** Notes the way in which the objects of a client are made. */
    private Client withWay(Client client, Hints hints) {
        client.way = way(client, hints.areSome());
        return client;
    }

    /**
     * Executes the preparation of a client, without the calls that throw exceptions or do not end, with the classes of
     * a loader, or with new ones. Returns the reason why it does not end; null if it does.
     */
    private String tried(Client client, Client.Failure[] failure, ClassLoader kept) throws InterruptedException {
        String why = null;
        for (int i = 0; i <= MAX_ENDLESS; i++) {
            ClassLoader loader = kept != null && i == 0 ? kept : types.types.fresh();
            why = Attempt.within("setup", loader, () -> failure[0] = client.removeThrowing(loader));
            if (why == null || !client.removeRunning()) {
                return why;
            }
        }
        return why;
    }

    private static Client.Way last(Client.Way one, Client.Way other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** Returns the way in which the objects of a client are made, without other classes and tests. */
    private Client.Way way(Client client, boolean areSearched) {
        Client.Way way = areSearched ? Client.Way.VALUES : Client.Way.MAKERS;
        for (Client.Statement step : client.before) {
            Expression made = step.expression;
            if (made instanceof Expression.Function || made instanceof AbstractStub.Made) {
                way = last(way, Client.Way.STUBS);
            } else if (made instanceof Expression.Call && types.factories.has(((Expression.Call) made).method)) {
                way = last(way, Client.Way.FACTORY);
            }
        }
        return way;
    }

    private Client planned(Request request, Hints hints, boolean isApproximate, TestMoment moment)
            throws CreationException {
        try {
            Planner planner = new Planner(types, request.subject, request.isStatic, request.seed, hints);
            planner.avoid(request.avoided);
            planner.prepareBy(request.fields);
            if (moment != null) {
                planner.take(moment);
            }
            if (isApproximate) {
                planner.approximate();
            }
            return planner.plan(request.methods.get(0), request.methods.subList(1, request.methods.size()));
        } catch (LinkageError missing) {
            throw new CreationException(Makers.needs(types.types.load(request.subject), missing));
        }
    }

    /**
     * Returns requests for classes that have methods from which calls lead to the unit, and to an interfering method.
     * The nearest callers come first.
     */
    private List<Request> facades(Request request) {
        List<Request> all = new ArrayList<>();
        List<CallGraph.Member> first = callers(request.methods.get(0));
        if (first.isEmpty()) {
            return all;
        }
        Set<CallGraph.Member> second = new LinkedHashSet<>();
        request.methods.subList(1, request.methods.size()).forEach(by -> second.addAll(callers(by)));
        for (CallGraph.Member one : first) {
            List<String> methods = new ArrayList<>();
            second.stream().filter(other -> other.type.equals(one.type)).limit(3)
                    .forEach(by -> methods.add(by.toString()));
            if (!methods.isEmpty()) {
                methods.add(0, one.toString());
                boolean isStatic = isStatic(one) && methods.size() > 1;
                all.add(new Request(one.type, isStatic, request.seed, request.avoided, methods, request.fields));
            }
        }
        return all;
    }

    /** Returns a method and its callers, if a client can call them. */
    private List<CallGraph.Member> callers(String method) {
        int open = method.indexOf('(');
        if (open < 0 || method.contains(" ")) {
            return new ArrayList<>();
        }
        int dot = method.lastIndexOf('.', open);
        CallGraph.Member member = new CallGraph.Member(method.substring(0, dot), method.substring(dot + 1));
        List<CallGraph.Member> all = new ArrayList<>(types.facts.callGraph().callersOf(member));
        all.add(0, member);
        all.removeIf(one -> executable(one) == null);
        return all;
    }

    private boolean isStatic(CallGraph.Member member) {
        java.lang.reflect.Executable found = executable(member);
        return found != null && java.lang.reflect.Modifier.isStatic(found.getModifiers());
    }

    /** Returns a method that a client can call; null if it cannot. */
    private java.lang.reflect.Executable executable(CallGraph.Member member) {
        if (member.key.startsWith("lambda$") || member.key.startsWith("<init>") || member.key.startsWith("<clinit>")) {
            return null;
        }
        try {
            for (java.lang.reflect.Method method : types.types.load(member.type).getDeclaredMethods()) {
                String key = method.getName() + Descriptors.of(method);
                if (key.equals(member.key)) {
                    return Arguments.isAccessible(method) && !method.isSynthetic() ? method : null;
                }
            }
        } catch (CreationException | LinkageError missing) {
            return null;
        }
        return null;
    }
}
