package same;

import java.util.concurrent.Callable;

/** Anonymous classes that run under the lock of the method that gets them. */
public class Applied {
  private final Object lock = new Object();
  private int value;

  private int locked(Callable<Integer> task) throws Exception {
    synchronized (lock) {
      return task.call();
    }
  }

  public int get() throws Exception {
    return locked(
        new Callable<Integer>() {
          @Override
          public Integer call() {
            return value;
          }
        });
  }

  /** Two tasks: another call comes between them. */
  public void add(final int more) throws Exception {
    final int old = get();
    locked(
        new Callable<Integer>() {
          @Override
          public Integer call() {
            return value = old + more;
          }
        });
  }
}
