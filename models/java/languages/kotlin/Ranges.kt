package kt

import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock

/** A lock of its own, in two blocks instead of one. */
class Interval {
    private val lock = Any()
    private var low = 0
    private var high = 0

    fun widen(by: Int) {
        synchronized(lock) { low -= by }
        synchronized(lock) { high += by }
    }

    fun width(): Int = synchronized(lock) { high - low }
}

class IntervalRepaired {
    private val lock = Any()
    private var low = 0
    private var high = 0

    fun widen(by: Int) = synchronized(lock) {
        low -= by
        high += by
    }

    fun width(): Int = synchronized(lock) { high - low }
}

data class Bounds(val low: Int, val high: Int)

/** An immutable data class as a whole in a volatile property, which `width` reads twice. */
class Window {
    @Volatile
    private var bounds = Bounds(0, 0)

    @Synchronized
    fun shift(by: Int) {
        val old = bounds
        bounds = old.copy(low = old.low + by, high = old.high + by)
    }

    fun width(): Int = bounds.high - bounds.low
}

class WindowRepaired {
    @Volatile
    private var bounds = Bounds(0, 0)

    @Synchronized
    fun shift(by: Int) {
        val old = bounds
        bounds = old.copy(low = old.low + by, high = old.high + by)
    }

    fun width(): Int {
        val (low, high) = bounds
        return high - low
    }
}

/** A data class that changes: what the compiler adds to it takes no lock. */
data class Span(private var low: Int, private var high: Int) {
    @Synchronized
    fun shift(by: Int) {
        low += by
        high += by
    }
}

/** `withLock` is inlined. */
class Stock {
    private val lock = ReentrantLock()
    private var items = 0

    fun add() = lock.withLock { items += 1 }

    fun take(): Boolean {
        if (lock.withLock { items > 0 }) {
            lock.withLock { items -= 1 }
            return true
        }
        return false
    }
}

class StockRepaired {
    private val lock = ReentrantLock()
    private var items = 0

    fun add() = lock.withLock { items += 1 }

    fun take(): Boolean = lock.withLock {
        if (items > 0) {
            items -= 1
            true
        } else {
            false
        }
    }
}
