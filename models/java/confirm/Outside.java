package confirm;

import java.io.File;
import java.io.IOException;

/** Reaches outside: none of this may happen when it is run. */
public final class Outside {
    private int count;

    public void delete() {
        count++;
        new File(System.getProperty("java.home")).getParentFile().delete();
    }

    public void exit() {
        count++;
        System.exit(3);
    }

    public void start() throws IOException {
        count++;
        new ProcessBuilder("true").start();
    }

    public void write() throws IOException {
        count++;
        new java.io.FileWriter(new File(System.getProperty("user.home"), "asercheck-must-not-write-this")).close();
    }

    public void writeInside() throws IOException {
        count++;
        new java.io.FileWriter("inside").close();
    }

    public int get() {
        return count;
    }
}
