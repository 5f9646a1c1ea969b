package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class StackTest {
    @Test
    void thatWhichWasPushedIsPopped() {
        Stack stack = new Stack("open sesame");
        stack.push("a");
        assertEquals("a", stack.popOrNull());
    }
}
