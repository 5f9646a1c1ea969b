package objects;

import java.io.File;

/** Broken: an object that needs a file that exists. */
public final class NeedsFile {
    private volatile int last;
    private final File file;

    public NeedsFile(File file) {
        if (!file.isFile()) {
            throw new IllegalArgumentException(file + " does not exist");
        }
        this.file = file;
    }

    public int next() {
        return ++last;
    }

    public File file() {
        return file;
    }
}
