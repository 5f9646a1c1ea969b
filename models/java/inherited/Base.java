package inherited;

/**
 * Counts with a number that a subclass keeps. The subclass takes its lock for each access, and this class takes none for
 * two of them: the section that is torn apart is here, and its accesses are in the file of the subclass, which has fewer
 * lines than this one.
 */
public abstract class Base {
  protected abstract int get();

  protected abstract void put(int number);

  /** Adds one. */
  public final void count() {
    int before = get();
    put(before + 1);
  }
}
