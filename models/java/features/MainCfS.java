package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** SupplyAsync, then get. */
public class MainCfS {
    static class C {
        int n;
        int inc() {
            return n++;
        }
    }
    public static void main(String[] a) throws Exception {
        C c = new C();
        CompletableFuture<Integer> f = CompletableFuture.supplyAsync(c::inc);
        f.get();
        System.out.println(c.inc() + c.inc());
    }
}
