package rules;

/** The declared class itself calls back. */
public class ClientObjectsB {
    private int count;

    public synchronized void add() {
        count = count + 1;
    }

    public synchronized int get() {
        return count;
    }

    public void log(ClientObjectsBSink sink) {
        sink.note(this, get());
    }
}

class ClientObjectsBSink {
    void note(ClientObjectsB to, int value) {
        to.add();
    }
}
