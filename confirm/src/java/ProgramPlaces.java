package asercheck.confirm;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;

/** The lines of a program that a finding names, with their roles. */
final class ProgramPlaces implements ClassRewriter.Places {
    /**
     * The role of a place in the code. A section extends from the first to the last access of the unit, or of the
     * interfering method.
     */
    enum Kind {
        /** A section of the unit, or of the interfering method, begins here, before its locks are acquired. */
        UNIT_FIRST, BY_FIRST,
        /** The last access of a section. */
        UNIT_LAST, BY_LAST,
        /** An access of the unit, or of the interfering method. */
        UNIT_ACCESS, BY_ACCESS;

        boolean isFirst() {
            return this == UNIT_FIRST || this == BY_FIRST;
        }

        boolean isLast() {
            return this == UNIT_LAST || this == BY_LAST;
        }
    }

    private static final EnumSet<Kind> NONE = EnumSet.noneOf(Kind.class);

    /** The kinds by {@code FILE:LINE}. */
    private final Map<String, EnumSet<Kind>> kinds = new HashMap<>();

    /** Reads {@code KIND LINE FILE} for each place. */
    ProgramPlaces(Iterable<String> texts) {
        for (String text : texts) {
            String[] words = text.split(" ", 3);
            String place = words[2].replace(' ', '_') + ":" + words[1];
            kinds.computeIfAbsent(place, none -> EnumSet.noneOf(Kind.class)).add(Kind.valueOf(words[0]));
        }
    }

    @Override
    public ClassRewriter.Hooks hooks(ConstantPool pool, String type, String source) {
        return new PlaceHooks(pool, type, source, this);
    }

    /** Returns the roles of a line, which is given as {@code FILE:LINE}. */
    EnumSet<Kind> of(String line) {
        return kinds.getOrDefault(line, NONE);
    }
}
