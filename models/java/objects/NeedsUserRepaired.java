package objects;

/** Correct: an object that only somebody who knows the word can make. */
public final class NeedsUserRepaired {
    private volatile int last;

    private NeedsUserRepaired() {}

    /** Returns an object for whoever says the word twice, in two forms. */
    public static NeedsUserRepaired open(String word, String again) {
        if (word.length() < 5 || !new StringBuilder(word).reverse().toString().equals(again) || word.equals(again)) {
            throw new SecurityException("wrong");
        }
        return new NeedsUserRepaired();
    }

    public synchronized int next() {
        return ++last;
    }
}
