package objects;

import java.io.File;

/** Broken: an object that needs a folder that exists. */
public final class NeedsFolder {
    private volatile int last;
    private final File folder;

    public NeedsFolder(File folder) {
        if (!folder.isDirectory()) {
            throw new IllegalArgumentException(folder + " is no directory");
        }
        this.folder = folder;
    }

    public int next() {
        return ++last;
    }

    public File folder() {
        return folder;
    }
}
