package asercheck.confirm;

import java.lang.reflect.Field;

/** An assignment to a public field of an object. */
final class Assignment extends Expression {
    private final Variable object;
    private final Field field;
    private final Expression assigned;

    Assignment(Variable object, Field field, Expression assigned) {
        this.object = object;
        this.field = field;
        this.assigned = assigned;
    }

    @Override
    Object value(Scope scope) throws Throwable {
        Object given = assigned.value(scope);
        Field own = scope.type(field.getDeclaringClass()).getDeclaredField(field.getName());
        own.setAccessible(true);
        own.set(object.value(scope), given);
        return given;
    }

    @Override
    String text() {
        return object.text() + "." + field.getName() + " = " + assigned.text();
    }

    @Override
    String source() {
        return object.source() + "." + field.getName() + " = " + Names.cast(field.getType(), assigned.source());
    }
}
