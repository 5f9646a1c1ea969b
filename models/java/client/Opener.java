package client;

/** Uses an object that it locks by methods of the object. */
public class Opener {
    public static void fill(Opened opened) {
        opened.lock();
        try {
            if (opened.size() < 3) {
                opened.add();
            }
        } finally {
            opened.unlock();
        }
    }
}
