package features;

/** A hash table in which one method holds the lock of another bucket. */
public class BucketNodesB {
    private static final class Bucket {
        private int size;
    }

    private static final class Node {
        private final Object key;
        private Object value;
        private Node next;

        Node(Object key, Object value, Node next) {
            this.key = key;
            this.value = value;
            this.next = next;
        }
    }

    private final Node[] nodes = new Node[16];
    private final Bucket[] buckets = new Bucket[16];

    public BucketNodesB() {
        for (int at = 0; at < 16; at++) buckets[at] = new Bucket();
    }

    private int hash(Object key) {
        return key.hashCode() & 15;
    }

    public Object put(Object key, Object value) {
        int hash = hash(key);
        synchronized (buckets[hash]) {
            for (Node node = nodes[hash]; node != null; node = node.next) {
                if (node.key == key) {
                    Object old = node.value;
                    node.value = value;
                    return old;
                }
            }
            nodes[hash] = new Node(key, value, nodes[hash]);
            buckets[hash].size++;
            return null;
        }
    }

    public Object remove(Object key) {
        int hash = hash(key);
        synchronized (buckets[(hash + 1) & 15]) {
            Node last = null;
            for (Node node = nodes[hash]; node != null; node = node.next) {
                if (node.key == key) {
                    if (last == null) nodes[hash] = node.next;
                    else last.next = node.next;
                    buckets[hash].size--;
                    return node.value;
                }
                last = node;
            }
            return null;
        }
    }
}
