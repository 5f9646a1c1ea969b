package inherited;

public class Sub extends Base {
  private int number;
  protected synchronized int get() { return number; }
  protected synchronized void put(int given) { number = given; }
}
