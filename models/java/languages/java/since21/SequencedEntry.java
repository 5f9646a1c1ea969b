package since21;

import java.util.*;

/** The first entry of a synchronized sorted map, by an iterator without the monitor. */
public class SequencedEntry {
  private final SortedMap<String, String> all = Collections.synchronizedSortedMap(new TreeMap<>());

  public void put(String one) { all.put(one, one); }
  public void clear() { all.clear(); }
  public Object first() { return all.firstEntry(); }
}
