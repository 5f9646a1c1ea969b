package program.shop;

/** Customers test a shop for items, then take one: each method is synchronized, but not the two together. */
public final class Shop {
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
        Shop shop = new Shop();
        for (int i = 0; i < 10; i++) {
            shop.put();
        }
        for (int i = 0; i < 3; i++) {
            Thread customer = new Thread(() -> {
                if (!shop.isEmpty()) {
                    shop.take();
                }
            });
            customer.start();
        }
    }
}
