package features;

import java.io.IOException;
import java.io.StringReader;
import java.util.Properties;

/** The number of properties is read without the monitor, while they are loaded one by one. */
public class PropertiesLoadB {
    private final Properties all = new Properties();

    public synchronized void load() throws IOException { all.load(new StringReader("a=1\nb=2")); }
    public int size() { return all.size(); }
}
