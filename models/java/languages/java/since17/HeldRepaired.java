package since17;

import java.util.List;

/** With methods of its own for all that the compiler would add. */
public record HeldRepaired(List<String> parts) {
  public synchronized void add(String first, String second) {
    parts.add(first);
    parts.add(second);
  }

  public synchronized int count() {
    return parts.size();
  }

  @Override
  public synchronized List<String> parts() {
    return List.copyOf(parts);
  }

  @Override
  public synchronized String toString() {
    return parts.toString();
  }

  @Override
  public synchronized int hashCode() {
    return parts.size();
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }
}
