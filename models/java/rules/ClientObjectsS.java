package rules;

/** A subclass elsewhere calls back; nothing shows that a client passes one. */
public class ClientObjectsS {
    private int count;

    public synchronized void add() {
        count = count + 1;
    }

    public synchronized int get() {
        return count;
    }

    public void log(ClientObjectsSSink sink) {
        sink.note(get());
    }
}

class ClientObjectsSSink {
    void note(int value) { }
}

class ClientObjectsSOther extends ClientObjectsSSink {
    private final ClientObjectsS to;

    ClientObjectsSOther(ClientObjectsS to) {
        this.to = to;
    }

    @Override
    void note(int value) {
        to.add();
    }
}
