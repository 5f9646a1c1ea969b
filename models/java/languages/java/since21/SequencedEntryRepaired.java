package since21;

import java.util.*;

/** The first entry of a synchronized navigable map, in one step. */
public class SequencedEntryRepaired {
  private final NavigableMap<String, String> all = Collections.synchronizedNavigableMap(new TreeMap<>());

  public void put(String one) { all.put(one, one); }
  public void clear() { all.clear(); }
  public Object first() { return all.pollFirstEntry(); }
}
