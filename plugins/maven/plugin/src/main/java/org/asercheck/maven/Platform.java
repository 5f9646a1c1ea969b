package org.asercheck.maven;

import java.util.Locale;

/** A platform for which there may be a command, with the name that Maven uses for its classifier. */
final class Platform {
    private Platform() {}

    /** Returns the classifier of the platform that runs this. */
    static String classifier() {
        return classifier(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    /** Returns the classifier for the values of the properties {@code os.name} and {@code os.arch}. */
    static String classifier(String name, String architecture) {
        return system(name.toLowerCase(Locale.ROOT)) + "-" + processor(architecture.toLowerCase(Locale.ROOT));
    }

    private static String system(String name) {
        if (name.startsWith("mac") || name.startsWith("darwin")) {
            return "osx";
        }
        return name.startsWith("windows") ? "windows" : name.replaceAll("[^a-z0-9]", "");
    }

    private static String processor(String architecture) {
        switch (architecture) {
            case "amd64":
            case "x86_64":
            case "x86-64":
                return "x86_64";
            case "aarch64":
            case "arm64":
                return "aarch_64";
            default:
                return architecture;
        }
    }
}
