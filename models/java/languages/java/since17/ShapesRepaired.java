package since17;

/** Records, sealed interfaces, switch expressions and patterns for `instanceof`. */
public class ShapesRepaired {
  sealed interface Shape permits Square, Circle {
    private static int times(int a, int b) {
      return a * b;
    }

    default int area() {
      return this instanceof Square square ? times(square.side(), square.side()) : 3;
    }
  }

  record Square(int side) implements Shape {}

  record Circle(int radius) implements Shape {}

  enum Size {
    SMALL,
    LARGE
  }

  private Shape shape = new Circle(1);
  private int changes;

  public synchronized Shape shape() {
    return shape;
  }

  public synchronized void shape(Shape shape) {
    this.shape = shape;
    changes++;
  }

  /** Under one lock. */
  public synchronized void grow(Size size) {
    int by = switch (size) {
      case SMALL -> 1;
      case LARGE -> {
        int more = 5;
        yield more + more;
      }
    };
    shape(new Square(shape().area() + by));
  }

  public synchronized String text() {
    return """
        %s, %d changes""".formatted(shape, changes);
  }
}
