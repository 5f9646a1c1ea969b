package since21;

import java.util.ArrayList;
import java.util.List;

/** A switch over patterns, record patterns, virtual threads, and lists with two ends. */
public class Events {
  sealed interface Event {}

  record Added(String name, Count count) implements Event {}

  record Removed(String name) implements Event {}

  record Count(int count) {}

  private final List<String> names = new ArrayList<>();
  private int total;

  public synchronized int total() {
    return total;
  }

  public synchronized void total(int total) {
    this.total = total;
  }

  /** Each case in a step of its own. */
  public void handle(Event event) {
    switch (event) {
      case Added(String name, Count(int count)) when count > 0 -> {
        add(name);
        total(total() + count);
      }
      case Added added -> add(added.name());
      case Removed(var name) -> remove(name);
    }
  }

  public void later(Event event) {
    Thread.startVirtualThread(() -> handle(event));
    Thread.ofVirtual().name("events").start(() -> handle(event));
  }

  public synchronized String last() {
    return names.isEmpty() ? "" : names.getLast() + " of " + total;
  }

  private synchronized void add(String name) {
    names.addLast(name);
  }

  private synchronized void remove(String name) {
    names.remove(name);
  }
}
