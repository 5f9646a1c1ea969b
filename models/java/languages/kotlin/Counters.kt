package kt

/** Synchronized functions: `increment` lets the lock go between two of them. */
class Counter {
    private var count = 0

    @Synchronized
    fun get(): Int = count

    @Synchronized
    fun set(value: Int) {
        count = value
    }

    fun increment() = set(get() + 1)
}

class CounterRepaired {
    private var count = 0

    @Synchronized
    fun get(): Int = count

    @Synchronized
    fun set(value: Int) {
        count = value
    }

    @Synchronized
    fun increment() = set(get() + 1)
}

/** A volatile property with the getter and setter that the compiler makes. */
class Version {
    @Volatile
    var version = 0

    fun next(): Int {
        version = version + 1
        return version
    }
}

class VersionRepaired {
    @Volatile
    var version = 0
        private set

    @Synchronized
    fun next(): Int {
        val next = version + 1
        version = next
        return next
    }
}
