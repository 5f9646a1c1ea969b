package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;
import java.util.stream.*;

/** What a parallel stream puts into a set counts when its hash code is asked for. */
public class ParallelSetB {
    private int n;

    private record Key(ParallelSetB of) {
        @Override
        public int hashCode() {
            of.n++;
            return 1;
        }
    }

    public static void main(String[] args) {
        ParallelSetB set = new ParallelSetB();
        IntStream.range(0, 1000).parallel().mapToObj(i -> new Key(set)).collect(Collectors.toSet());
        System.out.println(set.n);
    }
}
