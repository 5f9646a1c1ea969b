package features;

import java.io.IOException;
import java.io.RandomAccessFile;

/** A file reads a number byte by byte. */
public class FileOfNumbersB {
    private final RandomAccessFile file;
    private volatile boolean isOpen;

    public FileOfNumbersB(String name) throws IOException {
        file = new RandomAccessFile(name, "r");
        isOpen = true;
    }

    public int next() throws IOException {
        return file.readInt();
    }
}
