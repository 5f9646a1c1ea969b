package client;

/** Somebody who asks an {@link Office}. */
public interface Asker {
    int open();
}
