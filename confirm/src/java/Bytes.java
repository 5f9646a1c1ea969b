package asercheck.confirm;

import java.io.ByteArrayOutputStream;

/** Bytes of a class file, which are written one after the other. */
final class Bytes {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Bytes u1(int value) {
        out.write(value);
        return this;
    }

    Bytes u2(int value) {
        out.write(value >> 8);
        out.write(value);
        return this;
    }

    Bytes u4(int value) {
        return u2(value >> 16).u2(value);
    }

    /** Adds bytes; null counts as none. */
    Bytes bytes(byte[] all) {
        return all == null ? this : bytes(all, 0, all.length);
    }

    Bytes bytes(byte[] all, int from, int length) {
        out.write(all, from, length);
        return this;
    }

    byte[] toByteArray() {
        return out.toByteArray();
    }
}
