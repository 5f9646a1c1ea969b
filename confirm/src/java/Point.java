package asercheck.confirm;

/** A point at which a thread stops: before an instruction, at its n-th execution. */
final class Point {
    final String type;
    final String method;
    final String descriptor;
    final long index;
    final int occurrence;

    Point(String type, String method, String descriptor, long index, int occurrence) {
        this.type = type;
        this.method = method;
        this.descriptor = descriptor;
        this.index = index;
        this.occurrence = occurrence;
    }

    /** Reads {@code class method descriptor index occurrence}, separated by spaces. */
    static Point of(String text) {
        String[] words = text.split(" ");
        return new Point(words[0], words[1], words[2], Long.parseLong(words[3]), Integer.parseInt(words[4]));
    }

    /** Whether another point is before the same instruction. */
    boolean isAt(Point other) {
        return index == other.index && method.equals(other.method) && type.equals(other.type)
                && descriptor.equals(other.descriptor);
    }

    String text() {
        return type + " " + method + " " + descriptor + " " + index + " " + occurrence;
    }
}
