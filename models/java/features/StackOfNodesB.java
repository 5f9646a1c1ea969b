package features;

import java.util.concurrent.atomic.AtomicReference;

/** A stack without locks: a node is put on top whether the top has changed or not. */
public class StackOfNodesB {
    private static final class Node {
        private final int value;
        private Node next;

        Node(int value) {
            this.value = value;
        }
    }

    private final AtomicReference<Node> top = new AtomicReference<>();

    public void push(int value) {
        Node made = new Node(value);
        made.next = top.get();
        top.set(made);
    }

    public int pop() {
        while (true) {
            Node first = top.get();
            if (first == null) {
                return -1;
            }
            if (top.compareAndSet(first, first.next)) {
                return first.value;
            }
        }
    }
}
