package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** One timer thread touches n. */
public class TimerOneS {
    private final Timer t = new Timer(true);
    private int n;
    public void go() {
        t.schedule(new TimerTask() {
            public void run() {
                n++;
            }
        }, 1);
    }
    public void back() {
        t.schedule(new TimerTask() {
            public void run() {
                n--;
            }
        }, 1);
    }
}
