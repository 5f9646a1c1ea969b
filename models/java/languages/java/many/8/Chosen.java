package many;

/** The version for old machines of a jar for many: broken. */
public class Chosen {
  private int value;

  public synchronized int get() {
    return value;
  }

  public synchronized void set(int value) {
    this.value = value;
  }

  public void add(int more) {
    set(get() + more);
  }
}
