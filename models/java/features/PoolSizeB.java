package features;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The settings of an executor are state: two calls grow it by one. */
public class PoolSizeB {
    private final ThreadPoolExecutor pool =
        new ThreadPoolExecutor(1, 16, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    public void grow() {
        pool.setCorePoolSize(pool.getCorePoolSize() + 1);
    }
}
