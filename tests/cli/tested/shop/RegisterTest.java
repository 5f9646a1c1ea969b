package shop;

import java.net.Socket;
import org.junit.Before;
import org.junit.Ignore;
import org.junit.Test;

/** Tests of JUnit 4; the register is closed at the end of each. */
public class RegisterTest {
    private Register register;

    @Before
    public void open() {
        register = new Register("the quick brown register");
        register.open(1235);
    }

    @Test
    public void undoesWhatIsSold() throws Exception {
        try (AutoCloseable closed = register::close) {
            register.sell("tea");
            if (!"tea".equals(register.undoOrNull())) {
                throw new AssertionError();
            }
        }
    }

    @Test
    public void takesLong() throws Exception {
        register.sell("tea");
        Thread.sleep(5000);
        register.undoOrNull();
    }

    @Test
    public void needsServer() throws Exception {
        register.sell("tea");
        new Socket("localhost", 1).close();
    }

    @Ignore
    @Test
    public void isDisabled() {
        register.undoOrNull();
    }
}
