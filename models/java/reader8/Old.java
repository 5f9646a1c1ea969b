package old;

/** Compiled for Java 8: inner classes reach private members through methods that the compiler makes. */
public class Old {
    private int secret;

    public String show(Object value) {
        return "secret " + secret + value;
    }

    class Inner implements Runnable {
        @Override
        public void run() {
            secret++;
        }
    }

    Runnable anonymous() {
        return new Runnable() {
            @Override
            public void run() {
                synchronized (Old.class) {
                    secret = 0;
                }
            }
        };
    }
}
