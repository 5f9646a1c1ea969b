/** A function in an array is run. */
public class FunctionInArray {
    private int n;
    public void j() {
        Runnable[] rs = { () -> n++ };
        rs[0].run();
    }

    public synchronized int z() {
        return n;
    }
}
