package since17;

import java.util.List;

/** A record has a lock as all objects do; what the compiler adds to it takes none. */
public record Held(List<String> parts) {
  public synchronized void add(String first, String second) {
    parts.add(first);
    parts.add(second);
  }

  public synchronized int count() {
    return parts.size();
  }
}
