package program.shop;

/** As Shop, but customers hold the shop's lock from the test to the taking. */
public final class ShopRepaired {
    private int items;

    public synchronized void put() {
        items++;
    }

    public synchronized boolean isEmpty() {
        return items == 0;
    }

    public synchronized void take() {
        items--;
    }

    public static void main(String[] arguments) {
        ShopRepaired shop = new ShopRepaired();
        for (int i = 0; i < 10; i++) {
            shop.put();
        }
        for (int i = 0; i < 3; i++) {
            Thread customer = new Thread(() -> {
                synchronized (shop) {
                    if (!shop.isEmpty()) {
                        shop.take();
                    }
                }
            });
            customer.start();
        }
    }
}
