package features;

/** Changes a property of the process by two calls of the library. */
public class ProcessStateB {
    public int next() {
        int count = Integer.parseInt(System.getProperty("count", "0")) + 1;
        System.setProperty("count", String.valueOf(count));
        return count;
    }
}
