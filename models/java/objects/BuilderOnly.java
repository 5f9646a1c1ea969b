package objects;

/** Broken: an object that only a builder makes, which wants a limit. */
public final class BuilderOnly {
    private volatile int last;
    private final int limit;

    private BuilderOnly(int limit) {
        this.limit = limit;
    }

    public int next() {
        return ++last;
    }

    public int limit() {
        return limit;
    }

    public static Builder newBuilder() {
        return new Builder();
    }

    public static final class Builder {
        private int limit;

        private Builder() {}

        public Builder limit(int limit) {
            this.limit = limit;
            return this;
        }

        public BuilderOnly build() {
            if (limit <= 0) {
                throw new IllegalStateException("no limit");
            }
            return new BuilderOnly(limit);
        }
    }
}
