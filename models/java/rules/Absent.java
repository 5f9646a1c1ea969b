package rules;

/** A class that is not given to the analysis. */
public class Absent {
    public void note(int value) { }

    public void keep(Object object) { }

    public void step() { }

    public void run(Runnable task) { }

    public static Absent find() {
        return new Absent();
    }

    public int look() {
        return 0;
    }
}
