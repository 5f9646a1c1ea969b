package features;

import java.util.Properties;
import java.util.Set;

/** Names are listed without the monitor, while the properties are removed one by one. */
public class PropertiesClearB {
    private final Properties all = new Properties();

    public PropertiesClearB() {
        all.put("a", "1");
        all.put("b", "2");
    }

    public synchronized void clear() { all.clear(); }
    public Set<String> names() { return all.stringPropertyNames(); }
}
