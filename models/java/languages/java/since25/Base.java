package since25;

/** What is constructed before. */
public class Base {
  private final int bound;

  protected Base(int bound) {
    this.bound = bound;
  }

  public int bound() {
    return bound;
  }
}
