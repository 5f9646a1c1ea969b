package confirm;

/** Broken: the head of a list. */
public final class LinkedStack {
    private static final class Node {
        final String item;
        final Node next;

        Node(String item, Node next) {
            this.item = item;
            this.next = next;
        }
    }

    private Node head;

    public void push(String item) {
        head = new Node(item, head);
    }

    public synchronized int size() {
        int size = 0;
        for (Node node = head; node != null; node = node.next) {
            size++;
        }
        return size;
    }
}
