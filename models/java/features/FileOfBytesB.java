package features;

import java.io.IOException;
import java.io.RandomAccessFile;

/** Many bytes are written in several steps. */
public class FileOfBytesB {
    private final RandomAccessFile file;

    public FileOfBytesB(RandomAccessFile file) { this.file = file; }

    public void put(byte[] bytes) throws IOException { file.write(bytes); }
    public long size() throws IOException { return file.length(); }
}
