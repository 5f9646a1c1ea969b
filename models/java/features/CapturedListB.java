package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Only references of the constructor have the list. */
public class CapturedListB {
    private final Consumer<String> add;
    private final IntSupplier size;

    public CapturedListB() {
        List<String> list = new ArrayList<>();
        add = list::add;
        size = list::size;
    }

    public synchronized int size() {
        return size.getAsInt();
    }

    public synchronized void add() {
        add.accept("a");
    }

    public void bump() {
        add.accept("b");
    }
}
