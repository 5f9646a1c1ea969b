package rules;

import java.util.concurrent.Flow;

/** A subscriber that gives its signals other names. */
interface SignalsNamedSItems extends Flow.Subscriber<Integer> {
    void item(Integer item);

    void failed(Throwable error);

    @Override
    default void onNext(Integer item) {
        item(item);
    }

    @Override
    default void onError(Throwable error) {
        failed(error);
    }
}

/** Correct: a subscriber whose signals have other names come one after the other. */
public class SignalsNamedS implements SignalsNamedSItems {
    private volatile int sum;

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        sum = 0;
    }

    @Override
    public void item(Integer item) {
        sum += item;
    }

    @Override
    public void failed(Throwable error) {
        sum = 0;
    }

    @Override
    public void onComplete() {
        sum = -sum;
    }

    public int sum() {
        return sum;
    }
}
