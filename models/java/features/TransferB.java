package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Linked transfer queue: two polls. */
public class TransferB {
    private final LinkedTransferQueue<String> q = new LinkedTransferQueue<>();
    public void put(String s) {
        q.put(s);
    }
    public String two() {
        String a = q.poll();
        return a + q.poll();
    }
}
