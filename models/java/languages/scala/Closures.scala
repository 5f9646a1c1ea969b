package sc

/** Closures that run under the lock of a method that takes them by name. */
class Tally {
  private val lock = new Object
  private var sum = 0

  private def locked[T](body: => T): T = lock.synchronized(body)

  def add(value: Int): Unit = {
    val old = locked(sum)
    locked { sum = old + value }
  }

  def get: Int = locked(sum)
}

class TallyRepaired {
  private val lock = new Object
  private var sum = 0

  private def locked[T](body: => T): T = lock.synchronized(body)

  def add(value: Int): Unit = locked { sum += value }

  def get: Int = locked(sum)
}

/** A trait with state, which the class that mixes it in holds. */
trait Tagged {
  private var tag = 0

  def tagged: Int = synchronized { tag }

  def tag(value: Int): Unit = synchronized { tag = value }
}

class Label extends Tagged {
  def retag(): Unit = tag(tagged + 1)
}

class LabelRepaired extends Tagged {
  def retag(): Unit = synchronized { tag(tagged + 1) }
}

/** A lazy value, made under the object's monitor by whoever comes first, and a field by its side. */
class Cached {
  lazy val prefix: String = "n" + System.nanoTime()
  private var used = 0

  def next(): String = {
    val number = synchronized { used }
    synchronized { used = number + 1 }
    prefix + number
  }
}

class CachedRepaired {
  lazy val prefix: String = "n" + System.nanoTime()
  private var used = 0

  def next(): String = {
    val number = synchronized {
      used += 1
      used
    }
    prefix + number
  }
}
