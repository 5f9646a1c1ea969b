package since21;

import java.util.*;

/** The first element of an unmodifiable view of a synchronized list, in two steps. */
public class SequencedView {
  private final List<String> all = Collections.synchronizedList(new ArrayList<>());
  private final List<String> view = Collections.unmodifiableList(all);

  public void add(String one) { all.add(one); }
  public void clear() { all.clear(); }
  public String first() { return view.getFirst(); }
}
