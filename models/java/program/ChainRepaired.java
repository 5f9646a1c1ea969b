package program.chain.repaired;

/** A list to whose end threads append: they look for the last node, and tell the place to another method, which changes it. One at a time does so. */
public final class ChainRepaired {
    private final Node head = new Node(0);

    void append(int value) {
        synchronized (ChainRepaired.class) {
            Node last = head;
            while (last.next != null) {
                last = last.next;
            }
            insert(value, new Place(last));
        }
    }

    private void insert(int value, Place place) {
        place.node.next = new Node(value);
    }

    public static void main(String[] arguments) {
        ChainRepaired chain = new ChainRepaired();
        for (int i = 0; i < 2; i++) {
            new Thread(new Appender(chain)).start();
        }
    }
}

final class Node {
    final int value;
    Node next;

    Node(int value) {
        this.value = value;
    }
}

final class Place {
    final Node node;

    Place(Node node) {
        this.node = node;
    }
}

final class Appender implements Runnable {
    private final ChainRepaired chain;

    Appender(ChainRepaired chain) {
        this.chain = chain;
    }

    @Override
    public void run() {
        for (int i = 0; i < 10; i++) {
            chain.append(i);
        }
    }
}
