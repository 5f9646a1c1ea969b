package client;

/** Answers after some work, for which it asks back. */
public class Office {
    public int answer(Asker asker, int rounds) {
        int found = 0;
        for (int round = 0; round < rounds; round++) {
            found += round % 2 == 0 ? search(asker, round) : search(asker, rounds);
        }
        return found;
    }

    private int search(Asker asker, int depth) {
        if (depth < 0) {
            return asker.open();
        }
        int left = search(asker, depth - 1);
        int right = search(asker, depth - 2);
        return left > right ? left : right;
    }
}
