package features;

import java.util.List;

/** References to methods of an interface of the program, over a list of clients. */
public final class InterfaceReferences implements InterfaceReferencesOf {
    private int a;
    private int b;

    public synchronized void grow() {
        a++;
        b++;
    }

    @Override
    public synchronized int a() {
        return a;
    }

    @Override
    public synchronized int b() {
        return b;
    }

    public static int difference(List<InterfaceReferencesOf> all) {
        return all.stream().mapToInt(InterfaceReferencesOf::a).sum()
            - all.stream().mapToInt(InterfaceReferencesOf::b).sum();
    }
}

/** What has two numbers. */
interface InterfaceReferencesOf {
    int a();

    int b();
}
