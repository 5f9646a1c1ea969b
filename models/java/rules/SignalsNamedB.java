package rules;

import java.util.concurrent.Flow;

/** A subscriber that gives its signals other names. */
interface SignalsNamedBItems extends Flow.Subscriber<Integer> {
    void item(Integer item);

    @Override
    default void onNext(Integer item) {
        item(item);
    }
}

/** Broken: the signals come one after the other, but a method with a name of its own changes the sum as well. */
public class SignalsNamedB implements SignalsNamedBItems {
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
    public void onError(Throwable error) {
        sum = 0;
    }

    @Override
    public void onComplete() {
        sum = -sum;
    }

    public void add(int number) {
        sum += number;
    }
}
