package since21;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A program whose virtual threads count. */
public class Workers {
  static class Done {
    private int done;

    synchronized int get() {
      return done;
    }

    synchronized void set(int done) {
      this.done = done;
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    Done done = new Done();
    Thread first = Thread.ofVirtual().start(() -> done.set(done.get() + 1));
    Thread second = Thread.startVirtualThread(() -> done.set(done.get() + 1));
    try (ExecutorService more = Executors.newVirtualThreadPerTaskExecutor()) {
      more.submit(() -> done.set(done.get() + 1));
    }
    first.join();
    second.join();
    System.out.println(done.get());
  }
}
