package undecided;

import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** A program whose threads unlock a lock by a name under which nobody knows it, and test before what they lock again. */
public final class RenamedInThreads {
    public static void main(String[] arguments) {
        Shelf shelf = new Shelf();
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                shelf.lock.lock();
                boolean isThere = shelf.left > 0;
                shelf.locks.get("left").unlock();
                if (isThere) {
                    shelf.lock.lock();
                    shelf.left--;
                    shelf.locks.get("left").unlock();
                }
            }).start();
        }
    }

    private static final class Shelf {
        final Lock lock = new ReentrantLock();
        final Map<String, Lock> locks = Map.of("left", lock);
        int left = 1;
    }
}
