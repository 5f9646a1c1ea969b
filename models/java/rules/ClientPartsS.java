package rules;

/** A client that has passed a part does not change it any more. */
public class ClientPartsS {
    private final ClientPartsSPart part;

    public ClientPartsS(ClientPartsSPart part) {
        this.part = part;
    }

    public synchronized void add() {
        part.up();
    }

    public synchronized int get() {
        return part.count;
    }
}

class ClientPartsSPart {
    int count;

    public void up() {
        count = count + 1;
    }
}
