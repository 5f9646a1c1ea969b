package asercheck.confirm;

/** The format of commands and answers: lines of fields, separated by tabs. */
final class Lines {
    private Lines() {}

    static String join(Iterable<String> fields) {
        java.util.StringJoiner line = new java.util.StringJoiner("\t");
        fields.forEach(field -> line.add(escaped(field)));
        return line.toString();
    }

    static String join(String... fields) {
        return join(java.util.Arrays.asList(fields));
    }

    static String[] split(String line) {
        String[] fields = line.split("\t", -1);
        for (int i = 0; i < fields.length; i++) {
            fields[i] = unescaped(fields[i]);
        }
        return fields;
    }

    private static String escaped(String field) {
        StringBuilder text = new StringBuilder();
        for (char c : field.toCharArray()) {
            if (c == '\t') {
                text.append("\\t");
            } else if (c == '\n') {
                text.append("\\n");
            } else if (c == '\r') {
                text.append("\\r");
            } else if (c == '\\') {
                text.append("\\\\");
            } else {
                // An unpaired surrogate cannot be encoded.
                text.append(Character.isSurrogate(c) ? '?' : c);
            }
        }
        return text.toString();
    }

    private static String unescaped(String field) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < field.length(); i++) {
            char c = field.charAt(i);
            if (c == '\\' && i + 1 < field.length()) {
                char next = field.charAt(++i);
                text.append(next == 't' ? '\t' : next == 'n' ? '\n' : next == 'r' ? '\r' : next);
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }
}
