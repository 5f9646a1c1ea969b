package objects;

/** Broken: an object that only somebody who knows the word can make. */
public final class NeedsUser {
    private volatile int last;

    private NeedsUser() {}

    /** Returns an object for whoever says the word twice, in two forms. */
    public static NeedsUser open(String word, String again) {
        if (word.length() < 5 || !new StringBuilder(word).reverse().toString().equals(again) || word.equals(again)) {
            throw new SecurityException("wrong");
        }
        return new NeedsUser();
    }

    public int next() {
        return ++last;
    }
}
