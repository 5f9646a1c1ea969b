package program.chain;

/** A list to whose end threads append: they look for the last node, and tell the place to another method, which changes it. */
public final class Chain {
    private final Node head = new Node(0);

    void append(int value) {
        Node last = head;
        while (last.next != null) {
            last = last.next;
        }
        insert(value, new Place(last));
    }

    private void insert(int value, Place place) {
        place.node.next = new Node(value);
    }

    public static void main(String[] arguments) {
        Chain chain = new Chain();
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
    private final Chain chain;

    Appender(Chain chain) {
        this.chain = chain;
    }

    @Override
    public void run() {
        for (int i = 0; i < 10; i++) {
            chain.append(i);
        }
    }
}
