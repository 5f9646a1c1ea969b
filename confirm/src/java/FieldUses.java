package asercheck.confirm;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;

/**
 * The methods that may access fields with some names: themselves, or by calls. A call leads to the method that its
 * class has or inherits. Methods below it, and long paths, are left out, so that a method may access a field and not be
 * among them; then clients call it less often.
 */
final class FieldUses {
    private static final int MAX_METHODS = 100;

    private final CodeFacts facts;
    private final Set<String> fields;

    FieldUses(CodeFacts facts, Set<String> fields) {
        this.facts = facts;
        this.fields = fields;
    }

    /** Whether a method accesses one of the fields; {@code key} is its name and descriptor. */
    boolean has(Class<?> type, String key) {
        if (fields.isEmpty()) {
            return false;
        }
        Set<String> seen = new HashSet<>();
        ArrayDeque<ClassFile.Body> queue = new ArrayDeque<>();
        add(type.getName(), key, seen, queue);
        while (!queue.isEmpty()) {
            ClassFile.Body body = queue.remove();
            if (body.fields.stream().anyMatch(fields::contains)) {
                return true;
            }
            for (String call : body.calls()) {
                int dot = call.lastIndexOf('.', call.indexOf('('));
                add(call.substring(0, dot), call.substring(dot + 1), seen, queue);
            }
        }
        return false;
    }

    /** Adds the code of a method that a class has or inherits. */
    private void add(String type, String key, Set<String> seen, ArrayDeque<ClassFile.Body> queue) {
        if (seen.size() >= MAX_METHODS || !seen.add(type + "." + key)) {
            return;
        }
        Set<String> above = new HashSet<>();
        ClassFile file = facts.file(type);
        while (file != null && above.add(file.name)) {
            for (ClassFile.Body body : file.bodies) {
                if (body.key.equals(key)) {
                    queue.add(body);
                    return;
                }
            }
            // The superclass is the first one.
            file = file.above.isEmpty() ? null : facts.file(file.above.get(0));
        }
    }
}
