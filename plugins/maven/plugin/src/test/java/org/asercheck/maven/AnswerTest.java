package org.asercheck.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerTest {
    @ParameterizedTest
    @CsvSource({
        "0, NOTHING_NEW", "1, NEW_FINDINGS", "2, WRONG_INPUT", "3, INCOMPLETE", "4, FAILED", "101, FAILED",
        "130, FAILED", "137, FAILED", "-1, FAILED",
    })
    void onlyZeroIsGood(int exitCode, Answer answer) {
        assertEquals(answer, Answer.of(exitCode));
    }
}
