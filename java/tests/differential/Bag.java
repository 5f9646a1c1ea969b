package differential;

import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;

/** Collections of clients, which log the calls by the library. */
final class Bag {
    private Bag() {}

    /** The view as a list. */
    static final class AsList extends AbstractList<Object> {
        private final List<Object> elements = new ArrayList<>();

        AsList(List<?> elements) {
            this.elements.addAll(elements);
        }

        @Override
        public Object get(int index) {
            return Log.called(this, "get", () -> elements.get(index));
        }

        @Override
        public int size() {
            return Log.called(this, "size", elements::size);
        }

        @Override
        public Object set(int index, Object element) {
            return Log.called(this, "set", () -> elements.set(index, element));
        }

        @Override
        public void add(int index, Object element) {
            Log.called(this, "add", () -> {
                elements.add(index, element);
                return null;
            });
        }

        @Override
        public Object remove(int index) {
            return Log.called(this, "remove", () -> elements.remove(index));
        }

        @Override
        public boolean add(Object element) {
            return Log.called(this, "add", () -> elements.add(element));
        }

        @Override
        public boolean isEmpty() {
            return Log.called(this, "isEmpty", elements::isEmpty);
        }

        @Override
        public boolean contains(Object element) {
            return Log.called(this, "contains", () -> elements.contains(element));
        }

        @Override
        public Object[] toArray() {
            return Log.called(this, "toArray", elements::toArray);
        }

        @Override
        public Iterator<Object> iterator() {
            return Log.called(this, "iterator", elements::iterator);
        }
    }

    /** The view as a set. */
    static final class AsSet extends AbstractSet<Object> {
        private final Set<Object> elements;

        AsSet(Set<Object> elements) {
            this.elements = elements;
        }

        @Override
        public Iterator<Object> iterator() {
            return Log.called(this, "iterator", elements::iterator);
        }

        @Override
        public int size() {
            return Log.called(this, "size", elements::size);
        }

        @Override
        public boolean isEmpty() {
            return Log.called(this, "isEmpty", elements::isEmpty);
        }

        @Override
        public boolean contains(Object element) {
            return Log.called(this, "contains", () -> elements.contains(element));
        }
    }

    /** The view as a map. */
    static final class AsMap extends AbstractMap<Object, Object> {
        private final Map<Object, Object> entries = new LinkedHashMap<>();

        AsMap(Map<?, ?> entries) {
            this.entries.putAll(entries);
        }

        @Override
        public Set<Map.Entry<Object, Object>> entrySet() {
            return Log.called(this, "entrySet", entries::entrySet);
        }

        @Override
        public Object get(Object key) {
            return Log.called(this, "get", () -> entries.get(key));
        }

        @Override
        public int size() {
            return Log.called(this, "size", entries::size);
        }

        @Override
        public boolean isEmpty() {
            return Log.called(this, "isEmpty", entries::isEmpty);
        }

        @Override
        public Object put(Object key, Object value) {
            return Log.called(this, "put", () -> entries.put(key, value));
        }
    }

    /** The view as an iterator or enumeration. */
    static final class AsIterator implements Iterator<Object>, Enumeration<Object> {
        private final Iterator<?> elements;

        AsIterator(List<?> elements) {
            this.elements = new ArrayList<Object>(elements).iterator();
        }

        @Override
        public boolean hasNext() {
            return Log.called(this, "hasNext", elements::hasNext);
        }

        @Override
        public Object next() {
            return Log.called(this, "next", () -> {
                if (!elements.hasNext()) {
                    throw new NoSuchElementException();
                }
                return elements.next();
            });
        }

        @Override
        public boolean hasMoreElements() {
            return Log.called(this, "hasMoreElements", elements::hasNext);
        }

        @Override
        public Object nextElement() {
            return next();
        }
    }

    /** The view as a text. */
    static final class AsText implements CharSequence {
        @Override
        public int length() {
            return Log.called(this, "length", () -> 4);
        }

        @Override
        public char charAt(int index) {
            return Log.called(this, "charAt", () -> "1a,2".charAt(index));
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return Log.called(this, "subSequence", () -> "1a,2".subSequence(start, end));
        }

        @Override
        public String toString() {
            return Log.called(this, "toString", () -> "1a,2");
        }
    }
}
