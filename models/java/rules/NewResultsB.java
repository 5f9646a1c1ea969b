package rules;

import java.util.ArrayList;
import java.util.List;

/** {@code with} changes the object itself. */
public class NewResultsB implements Cloneable {
    private volatile double version;
    private List<Object> names = List.of();

    @Override
    protected NewResultsB clone() {
        try {
            return (NewResultsB) super.clone();
        } catch (CloneNotSupportedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    public NewResultsB with(double version, Object name) {
        NewResultsB copy = clone();
        this.version = version;
        names = new ArrayList<>(names);
        names.add(name);
        return copy;
    }

    public boolean has(Object name) {
        return version > 1 && names.contains(name) && names.size() < version;
    }
}
