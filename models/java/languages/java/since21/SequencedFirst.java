package since21;

import java.util.*;

/** The first element of a vector by a method of the interface: it asks whether there is one, then gets it. */
public class SequencedFirst {
  private final Vector<String> all = new Vector<>();

  public void add(String one) { all.add(one); }
  public void clear() { all.clear(); }
  public synchronized int size() { return all.size(); }
  public String first() { return all.getFirst(); }
}
