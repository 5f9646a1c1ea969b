package rules;

import java.util.concurrent.Flow;

/** A subscriber whose signals come one after the other. */
class SignalsS implements Flow.Subscriber<Integer> {
    private volatile int sum;
    private Flow.Subscription upstream;

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        if (upstream == null) {
            upstream = subscription;
        }
    }

    @Override
    public void onNext(Integer item) {
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

    public int sum() {
        return sum;
    }
}
