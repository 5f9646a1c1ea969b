package features;

/** A new object is stored in a box that a method has perhaps made, and perhaps not. */
public class NewOrShared {
    private static class Box {
        volatile NewOrShared held = new NewOrShared();
    }

    private static final Box SHARED = new Box();

    private int a;
    private int b;

    private static Box box(boolean isOwn) {
        if (isOwn) {
            return new Box();
        }
        return SHARED;
    }

    public static void replace(int value) {
        Box box = box(value > 1);
        NewOrShared made = new NewOrShared();
        box.held = made;
        made.a = value;
        made.b = value;
    }

    public static NewOrShared shared() {
        return SHARED.held;
    }

    public synchronized boolean agrees() {
        return a == b;
    }
}
