package program.registry;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** As Registry, with one operation of the map. */
public final class RegistryRepaired {
    private final ConcurrentHashMap<String, Integer> numbers = new ConcurrentHashMap<>();

    public int number(String name) {
        return numbers.computeIfAbsent(name, String::length);
    }

    public static void main(String[] arguments) {
        RegistryRepaired registry = new RegistryRepaired();
        CompletableFuture<Void> one = CompletableFuture.runAsync(() -> registry.number("one"));
        CompletableFuture<Integer> two = CompletableFuture.supplyAsync(() -> registry.number("two"));
        one.join();
        System.out.println(two.join());
    }
}
