package features;

import java.util.concurrent.atomic.AtomicReference;

/** A stack without locks: a change succeeds only if the top is still the node that was read. */
public class StackOfNodesS {
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
        Node first;
        do {
            first = top.get();
            made.next = first;
        } while (!top.compareAndSet(first, made));
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
