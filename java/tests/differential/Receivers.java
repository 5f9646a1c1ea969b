package differential;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;

/** The library objects whose methods are called, each with items in it. */
final class Receivers {
    private Receivers() {}

    /** An object and the other objects from which it was created, in addition to its content. */
    record Made(Object object, List<Object> kept) {}

    /** The construction of an object, its class name in the table, and the class that declares its methods. */
    record Receiver(String name, Class<?> type, Callable<Made> make) {}

    private static final List<Receiver> ALL = new ArrayList<>();

    private static void add(Class<?> type, Callable<Object> make) {
        add(type.getName(), type, make);
    }

    private static void add(String name, Class<?> type, Callable<Object> make) {
        ALL.add(new Receiver(name, type, () -> new Made(make.call(), List.of())));
    }

    /** An object created from items that cannot be observed in it. */
    private static void of(Class<?> type, java.util.function.Function<List<Object>, Object> make) {
        ALL.add(new Receiver(type.getName(), type, () -> {
            List<Object> items = new ArrayList<>(items());
            return new Made(make.apply(items), items);
        }));
    }

    /** An object that keeps a function. */
    private static void with(Class<?> type, Class<?> function, java.util.function.Function<Object, Object> make) {
        ALL.add(new Receiver(type.getName(), type, () -> {
            Object kept = Arguments.function(function, null);
            return new Made(make.apply(kept), List.of(kept));
        }));
    }

    static List<Receiver> all() {
        if (ALL.isEmpty()) {
            lists();
            queues();
            setsAndMaps();
            wrappers();
            concurrent();
            views();
            streams();
            small();
        }
        return ALL;
    }

    private static List<Item> items() {
        return Arguments.items();
    }

    private static Map<Item, Item> entries() {
        return Arguments.entries();
    }

    private static void lists() {
        add(ArrayList.class, () -> new ArrayList<Object>(items()));
        add(LinkedList.class, () -> new LinkedList<Object>(items()));
        add(Vector.class, () -> new Vector<Object>(items()));
        add(Stack.class, () -> {
            Stack<Object> stack = new Stack<>();
            stack.addAll(items());
            return stack;
        });
        add("java.util.Arrays$ArrayList", List.class, () -> Arrays.asList(items().toArray()));
        add("java.util.ImmutableCollections$ListN", List.class, () -> List.of(items().toArray()));
        add(List.class, () -> new ArrayList<Object>(items()));
        add(List.class, () -> new LinkedList<Object>(items()));
        add(List.class, () -> new Bag.AsList(items()));
        add(Collection.class, () -> new ArrayList<Object>(items()));
        add(Iterable.class, () -> new ArrayList<Object>(items()));
        add(AbstractList.class, () -> new Bag.AsList(items()));
        add(AbstractCollection.class, () -> new Bag.AsSet(new LinkedHashSet<>(items())));
        add(AbstractSet.class, () -> new Bag.AsSet(new LinkedHashSet<>(items())));
    }

    private static void queues() {
        add(ArrayDeque.class, () -> new ArrayDeque<Object>(items()));
        add(PriorityQueue.class, () -> new PriorityQueue<Object>(items()));
        with(PriorityQueue.class, Comparator.class, function -> {
            PriorityQueue<Object> queue = new PriorityQueue<>((Comparator<Object>) function);
            queue.addAll(items());
            return queue;
        });
        add(Queue.class, () -> new PriorityQueue<Object>(items()));
        add(Queue.class, () -> new LinkedList<Object>(items()));
        add(Deque.class, () -> new ArrayDeque<Object>(items()));
    }

    private static void setsAndMaps() {
        add(HashSet.class, () -> new HashSet<Object>(items()));
        add(LinkedHashSet.class, () -> new LinkedHashSet<Object>(items()));
        add(TreeSet.class, () -> new TreeSet<Object>(items()));
        with(TreeSet.class, Comparator.class, function -> {
            TreeSet<Object> set = new TreeSet<>((Comparator<Object>) function);
            set.addAll(items());
            return set;
        });
        for (Class<?> type : List.of(Set.class, Collection.class)) {
            add(type, () -> new HashSet<Object>(items()));
            add(type, () -> new TreeSet<Object>(items()));
        }
        add(SortedSet.class, () -> new TreeSet<Object>(items()));
        add(NavigableSet.class, () -> new TreeSet<Object>(items()));
        add("java.util.ImmutableCollections$SetN", Set.class, () -> Set.of(items().toArray()));
        add(HashMap.class, () -> new HashMap<Object, Object>(entries()));
        add(LinkedHashMap.class, () -> new LinkedHashMap<Object, Object>(entries()));
        add("java.util.LinkedHashMap$InAccessOrder", LinkedHashMap.class, () -> {
            Map<Object, Object> map = new LinkedHashMap<>(16, 0.75f, true);
            map.putAll(entries());
            return map;
        });
        add(TreeMap.class, () -> new TreeMap<Object, Object>(entries()));
        with(TreeMap.class, Comparator.class, function -> {
            TreeMap<Object, Object> map = new TreeMap<>((Comparator<Object>) function);
            map.putAll(entries());
            return map;
        });
        add(IdentityHashMap.class, () -> new IdentityHashMap<Object, Object>(entries()));
        add(WeakHashMap.class, () -> new WeakHashMap<Object, Object>(entries()));
        add(Hashtable.class, () -> new Hashtable<Object, Object>(entries()));
        add(AbstractMap.class, () -> new Bag.AsMap(entries()));
        for (Class<?> type : List.of(Map.class)) {
            add(type, () -> new HashMap<Object, Object>(entries()));
            add(type, () -> new TreeMap<Object, Object>(entries()));
            add(type, () -> new Bag.AsMap(entries()));
            add(type, () -> new ConcurrentSkipListMap<Object, Object>(entries()));
        }
        add(SortedMap.class, () -> new TreeMap<Object, Object>(entries()));
        add(NavigableMap.class, () -> new TreeMap<Object, Object>(entries()));
        add("java.util.ImmutableCollections$MapN", Map.class, () -> Map.copyOf(entries()));
        add(Properties.class, () -> {
            Properties properties = new Properties();
            properties.putAll(entries());
            return properties;
        });
    }

    private static void wrappers() {
        String in = "java.util.Collections$";
        add(in + "UnmodifiableCollection", Collection.class,
            () -> Collections.unmodifiableCollection(new ArrayList<Object>(items())));
        add(in + "UnmodifiableList", List.class, () -> Collections.unmodifiableList(new ArrayList<Object>(items())));
        add(in + "UnmodifiableSet", Set.class, () -> Collections.unmodifiableSet(new HashSet<Object>(items())));
        add(in + "UnmodifiableNavigableSet", NavigableSet.class,
            () -> Collections.unmodifiableNavigableSet(new TreeSet<Object>(items())));
        add(in + "UnmodifiableMap", Map.class, () -> Collections.unmodifiableMap(new HashMap<Object, Object>(entries())));
        add(in + "UnmodifiableNavigableMap", NavigableMap.class,
            () -> Collections.unmodifiableNavigableMap(new TreeMap<Object, Object>(entries())));
        add(in + "SynchronizedCollection", Collection.class,
            () -> Collections.synchronizedCollection(new ArrayList<Object>(items())));
        add(in + "SynchronizedList", List.class, () -> Collections.synchronizedList(new ArrayList<Object>(items())));
        add(in + "SynchronizedSet", Set.class, () -> Collections.synchronizedSet(new HashSet<Object>(items())));
        add(in + "SynchronizedNavigableSet", NavigableSet.class,
            () -> Collections.synchronizedNavigableSet(new TreeSet<Object>(items())));
        add(in + "SynchronizedMap", Map.class, () -> Collections.synchronizedMap(new HashMap<Object, Object>(entries())));
        add(in + "SynchronizedNavigableMap", NavigableMap.class,
            () -> Collections.synchronizedNavigableMap(new TreeMap<Object, Object>(entries())));
        add(List.class, () -> Collections.checkedList(new ArrayList<Object>(items()), Object.class));
        add(Map.class, () -> Collections.checkedMap(new HashMap<Object, Object>(entries()), Object.class, Object.class));
        add(in + "SetFromMap", Set.class, () -> {
            Set<Object> set = Collections.newSetFromMap(new HashMap<>());
            set.addAll(items());
            return set;
        });
        add(in + "AsLIFOQueue", Queue.class, () -> Collections.asLifoQueue(new ArrayDeque<Object>(items())));
        add(in + "ReverseComparator", Comparator.class, () -> Collections.reverseOrder());
    }

    private static void concurrent() {
        add(ConcurrentHashMap.class, () -> new ConcurrentHashMap<Object, Object>(entries()));
        add(ConcurrentMap.class, () -> new ConcurrentHashMap<Object, Object>(entries()));
        add(ConcurrentMap.class, () -> new ConcurrentSkipListMap<Object, Object>(entries()));
        add(ConcurrentSkipListMap.class, () -> new ConcurrentSkipListMap<Object, Object>(entries()));
        with(ConcurrentSkipListMap.class, Comparator.class, function -> {
            Map<Object, Object> map = new ConcurrentSkipListMap<>((Comparator<Object>) function);
            map.putAll(entries());
            return map;
        });
        add(ConcurrentSkipListSet.class, () -> new ConcurrentSkipListSet<Object>(items()));
        add("java.util.concurrent.ConcurrentHashMap$KeySetView", Set.class, () -> {
            Set<Object> set = ConcurrentHashMap.newKeySet();
            set.addAll(items());
            return set;
        });
        add("java.util.concurrent.ConcurrentHashMap$KeySetView", Set.class,
            () -> new ConcurrentHashMap<Object, Object>(entries()).keySet());
        ALL.add(new Receiver("java.util.concurrent.ConcurrentHashMap$ValuesView", Collection.class, () -> {
            Map<Object, Object> map = new ConcurrentHashMap<>(entries());
            return new Made(map.values(), new ArrayList<>(map.keySet()));
        }));
        add(CopyOnWriteArrayList.class, () -> new CopyOnWriteArrayList<Object>(items()));
        add(CopyOnWriteArraySet.class, () -> new CopyOnWriteArraySet<Object>(items()));
        add(ConcurrentLinkedQueue.class, () -> new ConcurrentLinkedQueue<Object>(items()));
        add(ConcurrentLinkedDeque.class, () -> new ConcurrentLinkedDeque<Object>(items()));
        add(LinkedBlockingQueue.class, () -> new LinkedBlockingQueue<Object>(items()));
        add(LinkedBlockingDeque.class, () -> new LinkedBlockingDeque<Object>(items()));
        add(ArrayBlockingQueue.class, () -> new ArrayBlockingQueue<Object>(50, false, items()));
        add(PriorityBlockingQueue.class, () -> new PriorityBlockingQueue<Object>(items()));
        with(PriorityBlockingQueue.class, Comparator.class, function -> {
            Queue<Object> queue = new PriorityBlockingQueue<>(5, (Comparator<Object>) function);
            queue.addAll(items());
            return queue;
        });
        add(LinkedTransferQueue.class, () -> new LinkedTransferQueue<Object>(items()));
        add(DelayQueue.class, () -> new DelayQueue<Item>(items()));
        add(SynchronousQueue.class, SynchronousQueue::new);
        for (Class<?> type : List.of(BlockingQueue.class, Queue.class)) {
            add(type, () -> new PriorityBlockingQueue<Object>(items()));
            add(type, () -> new LinkedBlockingQueue<Object>(items()));
        }
        add(BlockingDeque.class, () -> new LinkedBlockingDeque<Object>(items()));
    }

    private static void views() {
        add(List.class, () -> new ArrayList<Object>(items()).subList(0, 2));
        add(List.class, () -> new CopyOnWriteArrayList<Object>(items()).subList(0, 2));
        add(Set.class, () -> new HashMap<Object, Object>(entries()).keySet());
        ALL.add(new Receiver(Collection.class.getName(), Collection.class, () -> {
            Map<Object, Object> map = new HashMap<>(entries());
            return new Made(map.values(), new ArrayList<>(map.keySet()));
        }));
        add(Set.class, () -> new HashMap<Object, Object>(entries()).entrySet());
        add(Set.class, () -> new TreeMap<Object, Object>(entries()).entrySet());
        add(NavigableSet.class, () -> new TreeMap<Object, Object>(entries()).navigableKeySet());
        add(NavigableMap.class, () -> new TreeMap<Object, Object>(entries()).descendingMap());
        add(Map.Entry.class, () -> new HashMap<Object, Object>(entries()).entrySet().iterator().next());
        add(Map.Entry.class, () -> new TreeMap<Object, Object>(entries()).entrySet().iterator().next());
        add("java.util.concurrent.ConcurrentHashMap$MapEntry", Map.Entry.class,
            () -> new ConcurrentHashMap<Object, Object>(entries()).entrySet().iterator().next());
        of(Iterator.class, items -> new ArrayList<>(items).iterator());
        of(Iterator.class, items -> new HashSet<>(items).iterator());
        of(Iterator.class, items -> new ConcurrentSkipListSet<>(items).iterator());
        of(Iterator.class, items -> new PriorityQueue<>(items).iterator());
        of(ListIterator.class, items -> new LinkedList<>(items).listIterator(1));
        of(Enumeration.class, Collections::enumeration);
        of(Spliterator.class, items -> new ArrayList<>(items).spliterator());
        add(AbstractMap.SimpleEntry.class, () -> new AbstractMap.SimpleEntry<Object, Object>(new Item(1), Item.fresh()));
        add(AbstractMap.SimpleImmutableEntry.class,
            () -> new AbstractMap.SimpleImmutableEntry<Object, Object>(new Item(1), Item.fresh()));
        add("java.util.KeyValueHolder", Map.Entry.class, () -> Map.entry(new Item(1), Item.fresh()));
    }

    private static void streams() {
        add("java.util.stream.ReferencePipeline", Stream.class, () -> new ArrayList<Object>(items()).stream());
        add(Stream.class, () -> new ArrayList<Object>(items()).parallelStream());
        ALL.add(new Receiver("java.util.stream.ReferencePipeline", Stream.class, () -> {
            Object function = Arguments.function(java.util.function.Function.class, null);
            Object filter = Arguments.function(java.util.function.Predicate.class, null);
            Stream<Object> stream = new ArrayList<Object>(items()).stream()
                .map((java.util.function.Function<Object, Object>) function)
                .filter((java.util.function.Predicate<Object>) filter);
            return new Made(stream, List.of(function, filter));
        }));
        add("java.util.stream.ReferencePipeline$Sorted", Stream.class, () -> new ArrayList<Object>(items()).stream().sorted());
        add("java.util.stream.ReferencePipeline$Distinct", Stream.class, () -> new ArrayList<Object>(items()).stream().distinct());
        ALL.add(new Receiver("java.util.stream.IntPipeline", IntStream.class, () -> {
            Object function = Arguments.function(java.util.function.IntUnaryOperator.class, null);
            return new Made(IntStream.of(1, 2).map((java.util.function.IntUnaryOperator) function), List.of(function));
        }));
        with(Comparator.class, Comparator.class, function -> ((Comparator<Object>) function).reversed());
        ALL.add(new Receiver(Comparator.class.getName(), Comparator.class, () -> {
            Object key = Arguments.function(java.util.function.Function.class, null);
            return new Made(Comparator.comparing((java.util.function.Function) key), List.of(key));
        }));
        add(Comparator.class, () -> Comparator.naturalOrder());
        ALL.add(new Receiver(java.util.function.Function.class.getName(), java.util.function.Function.class, () -> {
            Object one = Arguments.function(java.util.function.Function.class, null);
            Object two = Arguments.function(java.util.function.Function.class, null);
            return new Made(((java.util.function.Function) one).andThen((java.util.function.Function) two), List.of(one, two));
        }));
    }

    private static void small() {
        add(Optional.class, () -> Optional.of(new Item(1)));
        add(Optional.class, () -> Optional.empty());
        add(OptionalInt.class, () -> OptionalInt.of(1));
        add(AtomicReference.class, () -> new AtomicReference<Object>(new Item(1)));
        add(AtomicReferenceArray.class, () -> new AtomicReferenceArray<Object>(items().toArray()));
        add(AtomicStampedReference.class, () -> new AtomicStampedReference<Object>(new Item(1), 0));
        add(AtomicMarkableReference.class, () -> new AtomicMarkableReference<Object>(new Item(1), true));
        add(AtomicInteger.class, () -> new AtomicInteger(1));
        add(AtomicLong.class, () -> new AtomicLong(1));
        add(AtomicBoolean.class, () -> new AtomicBoolean(true));
        add(AtomicIntegerArray.class, () -> new AtomicIntegerArray(new int[] {1, 2}));
        add(LongAdder.class, LongAdder::new);
        with(LongAccumulator.class, java.util.function.LongBinaryOperator.class,
            function -> new LongAccumulator((java.util.function.LongBinaryOperator) function, 0));
        add(CompletableFuture.class, () -> CompletableFuture.completedFuture(new Item(1)));
        add(CompletableFuture.class, CompletableFuture::new);
        with(FutureTask.class, Callable.class, function -> new FutureTask<>((Callable<Object>) function));
        add(java.lang.ref.WeakReference.class, () -> new java.lang.ref.WeakReference<>(Bag.class));
        add(StringBuilder.class, () -> new StringBuilder("a1,b"));
        add(StringBuffer.class, () -> new StringBuffer("a1,b"));
        add(StringJoiner.class, () -> new StringJoiner(",").add("x"));
        add(String.class, () -> "1a,2");
        add(BitSet.class, () -> BitSet.valueOf(new long[] {6}));
        add(Date.class, () -> new Date(1_000_000));
        add(java.nio.ByteBuffer.class, () -> java.nio.ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
        add(java.nio.CharBuffer.class, () -> java.nio.CharBuffer.wrap("1a2b".toCharArray()));
        add(java.nio.IntBuffer.class, () -> java.nio.IntBuffer.wrap(new int[] {1, 2, 3, 4}));
        add(java.io.ByteArrayOutputStream.class, () -> {
            java.io.ByteArrayOutputStream stream = new java.io.ByteArrayOutputStream();
            stream.write(5);
            return stream;
        });
        add(java.io.StringWriter.class, () -> new java.io.StringWriter().append("x"));
        add(java.io.CharArrayWriter.class, () -> new java.io.CharArrayWriter().append("x"));
        ALL.add(new Receiver(java.util.regex.Matcher.class.getName(), java.util.regex.Matcher.class, () -> {
            Bag.AsText text = new Bag.AsText();
            return new Made(java.util.regex.Pattern.compile("[0-9]").matcher(text), List.of(text));
        }));
        ALL.add(new Receiver(ThreadLocal.class.getName() + "$SuppliedThreadLocal", ThreadLocal.class, () -> {
            Object supplier = Arguments.function(java.util.function.Supplier.class, null);
            return new Made(ThreadLocal.withInitial((java.util.function.Supplier<Object>) supplier), List.of(supplier));
        }));
        add(IntSummaryStatistics.class, IntSummaryStatistics::new);
        ALL.add(new Receiver(Thread.class.getName(), Thread.class, () -> {
            Object task = Arguments.function(Runnable.class, null);
            return new Made(new Thread((Runnable) task), List.of(task));
        }));
    }

    /** The classes whose static methods and constructors are called. */
    static List<Class<?>> statics() {
        return List.of(
            Collections.class, Arrays.class, Objects.class, List.class, Set.class, Map.class, Map.Entry.class,
            Optional.class, Comparator.class, Stream.class, IntStream.class, Collectors.class, Spliterators.class,
            CompletableFuture.class, String.class, java.util.function.Function.class, EnumSet.class, ThreadLocal.class,
            StreamSupport.class, java.util.function.Predicate.class, java.util.function.BinaryOperator.class,
            Executors.class, System.class,
            ArrayList.class, LinkedList.class, Vector.class, HashSet.class, LinkedHashSet.class, TreeSet.class,
            ArrayDeque.class, PriorityQueue.class, HashMap.class, LinkedHashMap.class, TreeMap.class,
            IdentityHashMap.class, WeakHashMap.class, Hashtable.class, ConcurrentHashMap.class,
            ConcurrentSkipListMap.class, ConcurrentSkipListSet.class, CopyOnWriteArrayList.class,
            CopyOnWriteArraySet.class, ConcurrentLinkedQueue.class, ConcurrentLinkedDeque.class,
            LinkedBlockingQueue.class, LinkedBlockingDeque.class, PriorityBlockingQueue.class, DelayQueue.class,
            ArrayBlockingQueue.class, LinkedTransferQueue.class, AtomicReference.class, AtomicReferenceArray.class,
            AtomicStampedReference.class, AtomicMarkableReference.class, LongAccumulator.class, FutureTask.class,
            AbstractMap.SimpleEntry.class, AbstractMap.SimpleImmutableEntry.class, StringBuilder.class,
            StringBuffer.class, StringJoiner.class, java.lang.ref.WeakReference.class, Exception.class,
            java.nio.ByteBuffer.class, java.nio.CharBuffer.class, java.util.regex.Pattern.class, CyclicBarrier.class,
            Thread.class, Timer.class);
    }
}
