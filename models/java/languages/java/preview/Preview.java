package preview;

/** A class file with the minor version of preview features, of which it uses one: a primitive type in a pattern. */
public class Preview {
  private int value;

  public synchronized int get() {
    return value;
  }

  public synchronized void set(int value) {
    this.value = value;
  }

  public void add(long more) {
    switch (more) {
      case int small -> set(get() + small);
      default -> set(0);
    }
  }
}
