package rules;

import java.util.ArrayList;
import java.util.List;

/** {@code with} changes a copy that another method has made. */
public class NewResultsS implements Cloneable {
    private volatile double version;
    private List<Object> names = List.of();

    @Override
    protected NewResultsS clone() {
        try {
            return (NewResultsS) super.clone();
        } catch (CloneNotSupportedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    public NewResultsS with(double version, Object name) {
        NewResultsS copy = clone();
        copy.version = version;
        copy.names = new ArrayList<>(names);
        copy.names.add(name);
        return copy;
    }

    public boolean has(Object name) {
        return version > 1 && names.contains(name) && names.size() < version;
    }
}
