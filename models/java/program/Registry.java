package program.registry;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** A map that is safe for threads by itself, but its users test and then put. */
public final class Registry {
    private final ConcurrentHashMap<String, Integer> numbers = new ConcurrentHashMap<>();

    public int number(String name) {
        if (!numbers.containsKey(name)) {
            numbers.put(name, name.length());
        }
        return numbers.get(name);
    }

    public static void main(String[] arguments) {
        Registry registry = new Registry();
        CompletableFuture<Void> one = CompletableFuture.runAsync(() -> registry.number("one"));
        CompletableFuture<Integer> two = CompletableFuture.supplyAsync(() -> registry.number("two"));
        one.join();
        System.out.println(two.join());
    }
}
