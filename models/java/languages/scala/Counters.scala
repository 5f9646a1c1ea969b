package sc

/** Blocks on the object itself: `increment` lets its monitor go. */
class Counter {
  private var count = 0

  def get: Int = this.synchronized { count }

  def set(value: Int): Unit = this.synchronized { count = value }

  def increment(): Unit = set(get + 1)
}

class CounterRepaired {
  private var count = 0

  def get: Int = this.synchronized { count }

  def set(value: Int): Unit = this.synchronized { count = value }

  def increment(): Unit = this.synchronized { set(get + 1) }
}

/** An immutable case class in a volatile field, which `width` reads twice. */
case class Bounds(low: Int, high: Int)

class Window {
  @volatile private var bounds = Bounds(0, 0)

  def shift(by: Int): Unit = synchronized {
    bounds = bounds.copy(low = bounds.low + by, high = bounds.high + by)
  }

  def width: Int = bounds.high - bounds.low
}

class WindowRepaired {
  @volatile private var bounds = Bounds(0, 0)

  def shift(by: Int): Unit = synchronized {
    bounds = bounds.copy(low = bounds.low + by, high = bounds.high + by)
  }

  def width: Int = bounds match {
    case Bounds(low, high) => high - low
  }
}

/** A case class that changes: what the compiler adds to it takes no lock. */
case class Span(private var low: Int, private var high: Int) {
  def shift(by: Int): Unit = synchronized {
    low += by
    high += by
  }
}

/** A singleton is an object of a class of its own. */
object Names {
  private var names = List.empty[String]

  def has(name: String): Boolean = synchronized { names.contains(name) }

  def add(name: String): Unit = synchronized { names = name :: names }

  def addOnce(name: String): Unit = if (!has(name)) add(name)
}

object NamesRepaired {
  private var names = List.empty[String]

  def has(name: String): Boolean = synchronized { names.contains(name) }

  def add(name: String): Unit = synchronized { names = name :: names }

  def addOnce(name: String): Unit = synchronized { if (!has(name)) add(name) }
}
