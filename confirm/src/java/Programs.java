package asercheck.confirm;

import java.io.InputStream;
import java.io.PrintStream;
import java.io.UnsupportedEncodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;

/**
 * Runs whole programs in this Java machine, one after the other. Each run loads the classes of the program again, with
 * initial values of static fields. What a program has changed in the class library may stay, so a confirmation relies
 * on runs of which each has a Java machine of its own.
 */
final class Programs {
    private final Types types;
    private final Properties properties;
    /** The places of the loaded classes, as the command has them, and the rewritten classes. */
    private List<String> texts = List.of();
    private SubjectLoader.Files files;

    Programs(Types types) {
        this.types = types;
        properties = (Properties) System.getProperties().clone();
    }

    /** Rewritten classes of a program. */
    private static final class Files extends SubjectLoader.Files {
        private final ProgramPlaces places;

        Files(ProgramPlaces places) {
            this.places = places;
        }

        @Override
        byte[] rewrite(byte[] file, String name) {
            return ClassRewriter.rewrite(file, places);
        }
    }

    /**
     * Runs a program once: {@code program MAIN serial|count|hold|meet NUMBER POINT PLACE...}. The last field of the
     * answer says whether threads are left, so that the Java machine cannot run anything else.
     */
    String run(String[] command) throws InterruptedException, UnsupportedEncodingException {
        List<String> places = new ArrayList<>(Arrays.asList(command).subList(5, command.length));
        if (files == null || !places.equals(texts)) {
            files = new Files(new ProgramPlaces(places));
            texts = places;
        }
        ProgramOutput output = new ProgramOutput();
        PrintStream out = new PrintStream(output, true, "UTF-8");
        System.setProperties((Properties) properties.clone());
        System.setIn(InputStream.nullInputStream());
        System.setOut(out);
        System.setErr(out);
        Thread.setDefaultUncaughtExceptionHandler(null);
        ProgramMain main = new ProgramMain(command[1], types.fresh(files));
        ProgramRun run = new ProgramRun(new ProgramPlan(command), main.group, output);
        ProgramHook.run = run;
        Scheduler.Hook.timeouts = nanoseconds -> timed(run, nanoseconds);
        Guards.exit = run::exits;
        try {
            main.start();
            String answer = run.run(main);
            boolean isWorn = main.group.activeCount() > 0 || !OtherThreads.areNone();
            return answer + "\t" + (isWorn ? "1" : "0");
        } finally {
            Guards.exit = null;
            Scheduler.Hook.timeouts = null;
            ProgramHook.run = null;
            System.setOut(new PrintStream(java.io.OutputStream.nullOutputStream()));
            System.setErr(new PrintStream(java.io.OutputStream.nullOutputStream()));
        }
    }

    /** A thread gave up, or waits with a timeout. One of the library's own may do so at any time. */
    private static void timed(ProgramRun run, long nanoseconds) {
        if (!Guards.firstCalled().isEmpty()) {
            run.givesUpAfter(nanoseconds);
        }
    }
}
