package objects;

/** Broken: an object that checks an interface for its settings, and needs an abstract class. */
public final class NeedsSettings {
    private volatile int last;
    private final String name;

    public NeedsSettings(Settings settings, Source source) {
        if (settings.getSize() <= 0 || settings.getLimits().getMost() < 10) {
            throw new IllegalArgumentException("settings");
        }
        name = source.name();
    }

    public int next() {
        return ++last;
    }

    public String name() {
        return name;
    }

    /** Settings. */
    public interface Settings {
        int getSize();

        Limits getLimits();
    }

    /** More settings. */
    public interface Limits {
        int getMost();
    }

    /** A source. */
    public abstract static class Source {
        protected abstract String name();
    }
}
