package client;

/** Inherits what is broken. */
public class Heir extends TwoLocks {
}
