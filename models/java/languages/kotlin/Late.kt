package kt

/** A property that is initialized late, by whoever comes first. */
class Late {
    private lateinit var owner: String

    @Synchronized
    fun isNamed(): Boolean = this::owner.isInitialized

    @Synchronized
    fun name(new: String) {
        owner = new
    }

    fun nameOnce(new: String) {
        if (!isNamed()) name(new)
    }
}

class LateRepaired {
    private lateinit var owner: String

    @Synchronized
    fun isNamed(): Boolean = this::owner.isInitialized

    @Synchronized
    fun name(new: String) {
        owner = new
    }

    @Synchronized
    fun nameOnce(new: String) {
        if (!isNamed()) name(new)
    }
}

/** A lazy property, and a property by its side. */
class Cached {
    private val prefix by lazy { "n" + System.nanoTime() }
    private var used = 0

    @Synchronized
    fun used(): Int = used

    @Synchronized
    fun use(value: Int) {
        used = value
    }

    fun next(): String {
        val number = used()
        use(number + 1)
        return prefix + number
    }
}

class CachedRepaired {
    private val prefix by lazy { "n" + System.nanoTime() }
    private var used = 0

    @Synchronized
    fun next(): String = prefix + used++

    @Synchronized
    fun used(): Int = used
}
