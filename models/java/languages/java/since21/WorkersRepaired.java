package since21;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A program whose virtual threads count in one step. */
public class WorkersRepaired {
  static class Done {
    private int done;

    synchronized int get() {
      return done;
    }

    synchronized void add() {
      done++;
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    Done done = new Done();
    Thread first = Thread.ofVirtual().start(done::add);
    Thread second = Thread.startVirtualThread(() -> done.add());
    try (ExecutorService more = Executors.newVirtualThreadPerTaskExecutor()) {
      more.submit(() -> done.add());
    }
    first.join();
    second.join();
    System.out.println(done.get());
  }
}
