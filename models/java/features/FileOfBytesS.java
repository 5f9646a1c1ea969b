package features;

import java.io.IOException;
import java.io.RandomAccessFile;

/** The same with one byte. */
public class FileOfBytesS {
    private final RandomAccessFile file;

    public FileOfBytesS(RandomAccessFile file) { this.file = file; }

    public void put(byte one) throws IOException { file.write(one); }
    public long size() throws IOException { return file.length(); }
}
