package program.workers;

/** Threads in an array, each a subclass of Thread, write two fields of a shared object directly. */
public final class Workers {
    public static void main(String[] arguments) throws InterruptedException {
        Progress progress = new Progress();
        Thread[] workers = new Thread[4];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Worker(progress);
        }
        for (Thread worker : workers) {
            worker.start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println(progress.done + progress.failed);
    }
}

final class Progress {
    int done;
    int failed;
}

final class Worker extends Thread {
    private final Progress progress;

    Worker(Progress progress) {
        this.progress = progress;
    }

    @Override
    public void run() {
        int done = progress.done;
        progress.done = done + 1;
    }
}
