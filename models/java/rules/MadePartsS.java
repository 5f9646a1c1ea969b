package rules;

/** A table of several segments, each with its own lock and entries. */
class MadePartsS {
    private final Segment[] segments = new Segment[2];

    MadePartsS() {
        for (int place = 0; place < 2; place++) {
            segments[place] = new Segment();
        }
    }

    public Object put(int key, Object value) {
        return segments[key & 1].put(key, value);
    }

    public boolean replace(int key, Object old, Object value) {
        return segments[key & 1].replace(key, old, value);
    }

    private static final class Entry {
        final int key;
        final Entry next;
        Object value;

        Entry(int key, Object value, Entry next) {
            this.key = key;
            this.value = value;
            this.next = next;
        }
    }

    private static final class Segment {
        private Entry first;

        synchronized Object put(int key, Object value) {
            for (Entry entry = first; entry != null; entry = entry.next) {
                if (entry.key == key) {
                    Object old = entry.value;
                    entry.value = value;
                    return old;
                }
            }
            first = new Entry(key, value, first);
            return null;
        }

        synchronized boolean replace(int key, Object old, Object value) {
            for (Entry entry = first; entry != null; entry = entry.next) {
                if (entry.key == key && entry.value == old) {
                    entry.value = value;
                    return true;
                }
            }
            return false;
        }
    }
}
