package objects;

import java.io.File;

/** Correct: an object that needs a file that exists. */
public final class NeedsFileRepaired {
    private volatile int last;
    private final File file;

    public NeedsFileRepaired(File file) {
        if (!file.isFile()) {
            throw new IllegalArgumentException(file + " does not exist");
        }
        this.file = file;
    }

    public synchronized int next() {
        return ++last;
    }

    public File file() {
        return file;
    }
}
