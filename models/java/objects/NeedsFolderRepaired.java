package objects;

import java.io.File;

/** Correct: an object that needs a folder that exists. */
public final class NeedsFolderRepaired {
    private volatile int last;
    private final File folder;

    public NeedsFolderRepaired(File folder) {
        if (!folder.isDirectory()) {
            throw new IllegalArgumentException(folder + " is no directory");
        }
        this.folder = folder;
    }

    public synchronized int next() {
        return ++last;
    }

    public File folder() {
        return folder;
    }
}
