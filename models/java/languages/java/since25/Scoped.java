package since25;

import module java.base;

/** Flexible constructor bodies, a scoped value, and an unnamed variable. */
public class Scoped extends Base {
  private static final ScopedValue<Integer> STEP = ScopedValue.newInstance();

  private final int least;
  private int value;

  public Scoped(int least) {
    if (least < 0) {
      throw new IllegalArgumentException();
    }
    this.least = least;
    super(least);
  }

  public synchronized int value() {
    return value;
  }

  public synchronized void value(int value) {
    this.value = Math.max(least, value);
  }

  /** Reads under the lock, and writes under it later. */
  public void step() {
    value(value() + STEP.orElse(1));
  }

  public void steps(int by, List<String> names) {
    ScopedValue.where(STEP, by).run(() -> {
      for (var _ : names) {
        step();
      }
    });
  }
}
