package features;

import java.io.IOException;
import java.io.RandomAccessFile;

/** The same with single bytes. */
public class FileOfNumbersS {
    private final RandomAccessFile file;
    private volatile boolean isOpen;

    public FileOfNumbersS(String name) throws IOException {
        file = new RandomAccessFile(name, "r");
        isOpen = true;
    }

    public int next() throws IOException {
        return file.read();
    }
}
