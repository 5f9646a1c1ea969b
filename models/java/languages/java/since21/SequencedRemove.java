package since21;

import java.util.*;

/** A synchronized sorted set removes its first element in two steps: it looks, then removes. */
public class SequencedRemove {
  private final SortedSet<String> all = Collections.synchronizedSortedSet(new TreeSet<>());

  public void add(String one) { all.add(one); }
  public String next() { return all.removeFirst(); }
}
