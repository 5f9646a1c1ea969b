package many;

/** The version for new ones. */
public class Chosen {
  private int value;

  public synchronized int get() {
    return value;
  }

  public synchronized void set(int value) {
    this.value = value;
  }

  public void add(int more) {
    synchronized (this) {
      set(get() + more);
    }
  }
}
