package same;

/** The same source for all versions of class files: strings that are joined, a nest, lambdas, a switch over an enum. */
public class Ledger {
  enum Kind {
    IN,
    OUT
  }

  /** Private, as are its fields: accessors up to Java 10, a nest from 11 on. */
  private class Entry implements AutoCloseable {
    private int amount;

    private Entry(int amount) {
      this.amount = amount;
    }

    private synchronized void book(Kind kind) {
      synchronized (Ledger.this) {
        switch (kind) {
          case IN:
            total += amount;
            break;
          case OUT:
            total -= amount;
            break;
          default:
            break;
        }
      }
    }

    @Override
    public void close() {
      synchronized (Ledger.this) {
        count++;
      }
    }
  }

  private int total;
  private int count;

  /** Two blocks: the total has changed, the number of entries not yet. */
  public void book(Kind kind, int amount) {
    try (Entry entry = new Entry(amount)) {
      entry.book(kind);
    }
  }

  public synchronized String average() {
    return "total " + total + " of " + count + ": " + (count == 0 ? 0 : total / count);
  }

  public void each(int[] amounts) {
    Runnable all = () -> {
      for (int amount : amounts) {
        book(amount > 0 ? Kind.IN : Kind.OUT, Math.abs(amount));
      }
    };
    all.run();
  }
}
