package objects;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Broken: between two look-ups the entry may be removed. It takes only entries whose properties are set. */
public final class NeedsFilled {
    /** An entry with properties. */
    public static final class Entry {
        private String name;
        private String owner;

        public void setName(String name) {
            this.name = name;
        }

        public void setOwner(String owner) {
            this.owner = owner;
        }
    }

    private final Map<String, String> owners = new ConcurrentHashMap<>();

    public void save(Entry entry) {
        if (entry.name == null || entry.owner == null) {
            throw new IllegalArgumentException("an entry needs a name and an owner");
        }
        owners.put(entry.name, entry.owner);
    }

    public int length(String name) {
        return owners.containsKey(name) ? owners.get(name).length() : -1;
    }

    public void remove(String name) {
        owners.remove(name);
    }
}
