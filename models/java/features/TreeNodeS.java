package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Own tree, recursive insert under the lock. */
public class TreeNodeS {
    static class Node {
        final int k;
        Node l, r;
        Node(int k) {
            this.k = k;
        }
        void add(int x) {
            if (x < k) {
                if (l == null) l = new Node(x);
                else l.add(x);
            } else if (r == null) r = new Node(x);
            else r.add(x);
        }
    }
    private final Node root = new Node(0);
    public synchronized void add(int x) {
        root.add(x);
    }
    public synchronized boolean has(int x) {
        Node n = root;
        while (n != null && n.k != x) n = x < n.k ? n.l : n.r;
        return n != null;
    }
}
