package kt

/** A singleton: its properties are static fields, its functions are synchronized on its only object. */
object Names {
    private val names = ArrayList<String>()

    @Synchronized
    fun has(name: String): Boolean = names.contains(name)

    @Synchronized
    fun add(name: String) {
        names.add(name)
    }

    fun addOnce(name: String) {
        if (!has(name)) add(name)
    }
}

object NamesRepaired {
    private val names = ArrayList<String>()

    @Synchronized
    fun has(name: String): Boolean = names.contains(name)

    @Synchronized
    fun add(name: String) {
        names.add(name)
    }

    @Synchronized
    fun addOnce(name: String) {
        if (!has(name)) add(name)
    }
}

/** A companion object: its properties are static fields of the class, its functions belong to an object of their own. */
class Ids {
    val id = take()

    companion object {
        private var next = 0

        @Synchronized
        fun peek(): Int = next

        @Synchronized
        fun skip() {
            next += 1
        }

        fun take(): Int {
            val id = peek()
            skip()
            return id
        }
    }
}

class IdsRepaired {
    val id = take()

    companion object {
        private var next = 0

        @Synchronized
        fun peek(): Int = next

        @Synchronized
        fun skip() {
            next += 1
        }

        @Synchronized
        fun take(): Int {
            val id = peek()
            skip()
            return id
        }
    }
}

/** The same with `@JvmStatic`, which adds static functions that are synchronized. */
class Marks {
    companion object {
        private var mark = 0

        @JvmStatic
        @Synchronized
        fun get(): Int = mark

        @JvmStatic
        @Synchronized
        fun set(value: Int) {
            mark = value
        }

        @JvmStatic
        fun advance() = set(get() + 1)
    }
}

class MarksRepaired {
    companion object {
        private var mark = 0

        @JvmStatic
        @Synchronized
        fun get(): Int = mark

        @JvmStatic
        @Synchronized
        fun set(value: Int) {
            mark = value
        }

        @JvmStatic
        @Synchronized
        fun advance() = set(get() + 1)
    }
}
