package org.asercheck.maven;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The arguments of {@code asercheck java}, with paths relative to the folder in which it runs, if they lie there. */
final class Arguments {
    private final Path folder;
    private final List<String> list = new ArrayList<>(List.of("java"));

    /** Begins the arguments of a run in this folder about these classes. */
    Arguments(Path folder, Path classes) {
        this.folder = folder;
        list.add(named(classes));
    }

    /** Adds an option with a value. */
    Arguments option(String name, String value) {
        list.add(name);
        list.add(value);
        return this;
    }

    /** Adds an option once for each path. */
    Arguments paths(String name, Collection<Path> paths) {
        paths.forEach(path -> option(name, named(path)));
        return this;
    }

    /** Adds arguments as they are. */
    Arguments all(Collection<String> arguments) {
        list.addAll(arguments);
        return this;
    }

    List<String> list() {
        return List.copyOf(list);
    }

    /** Reports name paths as they are given: a relative one means the same on another machine. */
    private String named(Path path) {
        Path whole = path.toAbsolutePath().normalize();
        boolean isInside = whole.startsWith(folder) && !whole.equals(folder);
        return (isInside ? folder.relativize(whole) : whole).toString();
    }
}
