package shop;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of JUnit 5. */
class TillTest {
    private static String phrase;
    private Till till;

    @BeforeAll
    static void phrase() {
        phrase = "the quick brown register";
    }

    @BeforeEach
    void till() {
        till = new Till(phrase);
    }

    @Nested
    class Open {
        @BeforeEach
        void open() {
            till.open(1235);
        }

        @ParameterizedTest
        @ValueSource(strings = {"tea", "milk"})
        void undoes(String what) {
            till.sell(what);
            till.undoOrNull();
        }
    }

    @Test
    void hasThreads() throws Exception {
        Thread other = new Thread(() -> {
            while (!Thread.interrupted()) {
                till.count();
            }
        });
        other.start();
        try {
            till.open(1235);
            till.undoOrNull();
        } finally {
            other.interrupt();
        }
    }
}
