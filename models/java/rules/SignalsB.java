package rules;

import java.util.concurrent.Flow;

/** A subscriber whose signals come one after the other; another thread asks for the sum. */
class SignalsB implements Flow.Subscriber<Integer> {
    private volatile int sum;
    private volatile int count;
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
        count++;
    }

    @Override
    public void onError(Throwable error) {
        sum = 0;
        count = 0;
    }

    @Override
    public void onComplete() {
        sum = -sum;
    }

    public int mean() {
        return count == 0 ? 0 : sum / count;
    }
}
