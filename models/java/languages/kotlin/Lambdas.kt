package kt

/** Lambdas that run under the lock of a function that takes them. */
class Tally {
    private val lock = Any()
    private var sum = 0

    private fun <T> locked(body: () -> T): T = synchronized(lock) { body() }

    fun add(value: Int) {
        val old = locked { sum }
        locked { sum = old + value }
    }

    fun get(): Int = locked { sum }
}

class TallyRepaired {
    private val lock = Any()
    private var sum = 0

    private fun <T> locked(body: () -> T): T = synchronized(lock) { body() }

    fun add(value: Int) = locked { sum += value }

    fun get(): Int = locked { sum }
}

/** A function that calls what it is given between two calls. */
class Changed {
    private var value = 0

    @Synchronized
    fun get(): Int = value

    @Synchronized
    fun set(new: Int) {
        value = new
    }

    fun change(how: (Int) -> Int) = set(how(get()))

    fun twice() = change { it * 2 }
}

class ChangedRepaired {
    private var value = 0

    @Synchronized
    fun get(): Int = value

    @Synchronized
    fun set(new: Int) {
        value = new
    }

    @Synchronized
    fun change(how: (Int) -> Int) = set(how(get()))

    fun twice() = change { it * 2 }
}
