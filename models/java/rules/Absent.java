package rules;

/** A class that is not given to the analysis. */
public class Absent {
    public void note(int value) { }

    public void keep(Object object) { }

    public void step() { }

    public int look() {
        return 0;
    }
}
