package org.asercheck.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.inject.Inject;
import org.apache.maven.artifact.DependencyResolutionRequiredException;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.eclipse.aether.RepositorySystem;

/** A goal that runs the command on the classes of a project. */
abstract class AsercheckMojo extends AbstractMojo {
    @Inject
    private RepositorySystem repositories;

    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    private MavenProject project;

    @Parameter(defaultValue = "${session}", readonly = true, required = true)
    private MavenSession session;

    @Parameter(defaultValue = "${mojoExecution}", readonly = true, required = true)
    private MojoExecution execution;

    /** The folder of the classes. */
    @Parameter(defaultValue = "${project.build.outputDirectory}", readonly = true, required = true)
    private File classes;

    /** The folder of the test classes. */
    @Parameter(defaultValue = "${project.build.testOutputDirectory}", readonly = true, required = true)
    private File testClasses;

    /** An installed command, instead of the artifact for this platform. */
    @Parameter(property = "asercheck.command")
    private File command;

    /** The file with the recorded findings, which are not reported again. It need not exist. */
    @Parameter(property = "asercheck.baseline", defaultValue = "${project.basedir}/asercheck-baseline.json")
    private File baseline;

    /** The file with the findings that are not to be repaired, and the reasons. It need not exist. */
    @Parameter(property = "asercheck.suppressions", defaultValue = "${project.basedir}/asercheck-suppressions.txt")
    private File suppressions;

    /**
     * How long findings are run on a Java machine, such as {@code 2m}, with objects of the tests. Without it none are.
     * Code of the classes and of the tests runs.
     */
    @Parameter(property = "asercheck.confirm")
    private String confirm;

    /** Whether classes of the class path are analysed. Without, the effects of their methods are estimated. */
    @Parameter(property = "asercheck.classPath", defaultValue = "true")
    private boolean classPath;

    /** Further arguments of the command, such as {@code --deadlocks}. */
    @Parameter(property = "asercheck.arguments")
    private List<String> arguments = new ArrayList<>();

    /** Whether nothing is done. */
    @Parameter(property = "asercheck.skip", defaultValue = "false")
    private boolean skip;

    /** Adds the arguments of this goal. */
    abstract void complete(Arguments arguments) throws IOException;

    /** Ends the build, or not, after an answer. */
    abstract void judge(Answer answer) throws MojoExecutionException, MojoFailureException;

    @Override
    public final void execute() throws MojoExecutionException, MojoFailureException {
        try {
            if (skip) {
                getLog().info("asercheck is skipped");
            } else if (!ClassPath.hasClasses(classes.toPath())) {
                withoutClasses();
            } else {
                judge(Answer.of(run()));
            }
        } catch (IOException | DependencyResolutionRequiredException error) {
            throw new MojoExecutionException("asercheck cannot run: " + error.getMessage(), error);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new MojoExecutionException("asercheck was interrupted", error);
        }
    }

    final Path baseline() {
        return baseline.toPath();
    }

    /** A project without sources has nothing to check. With sources, it is not compiled yet. */
    private void withoutClasses() throws MojoExecutionException {
        if (!sources().isEmpty()) {
            throw new MojoExecutionException(
                    "there are no classes in " + classes + "; compile first, for example: mvn compile "
                            + execution.getMojoDescriptor().getFullGoalName());
        }
        getLog().info("there are no classes");
    }

    private int run()
            throws MojoExecutionException, IOException, DependencyResolutionRequiredException, InterruptedException {
        Path folder = Path.of(session.getExecutionRootDirectory()).toAbsolutePath().normalize();
        Arguments all = new Arguments(folder, classes.toPath());
        if (classPath) {
            all.paths("--library", libraries());
        }
        all.paths("--source", sources()).option("--color", "never");
        if (suppressions.exists()) {
            all.paths("--suppress", List.of(suppressions.toPath()));
        }
        if (confirms()) {
            all.all(List.of("--confirm=" + confirm));
            if (ClassPath.hasClasses(testClasses.toPath())) {
                all.paths("--clients", List.of(testClasses.toPath())).paths("--clients", testLibraries());
            }
        }
        complete(all);
        all.all(arguments);
        getLog().debug(String.join(" ", all.list()));
        return new Command(program(), folder).run(all.list(), line -> getLog().info(line));
    }

    private boolean confirms() {
        return confirm != null && !confirm.isBlank();
    }

    private Path program() throws MojoExecutionException {
        if (command != null) {
            return command.toPath();
        }
        return CommandArtifact.resolve(
                repositories,
                session.getRepositorySession(),
                project.getRemotePluginRepositories(),
                execution.getVersion());
    }

    /** The class path of the classes. */
    private Set<Path> libraries() throws DependencyResolutionRequiredException, IOException {
        List<String> elements = new ArrayList<>(project.getCompileClasspathElements());
        elements.addAll(project.getRuntimeClasspathElements());
        Set<Path> libraries = ClassPath.readable(paths(elements));
        libraries.remove(classes.toPath());
        return libraries;
    }

    /** The rest of the class path of the tests, which the analysis does not need: so it answers as without them. */
    private Set<Path> testLibraries() throws DependencyResolutionRequiredException, IOException {
        Set<Path> libraries = ClassPath.readable(paths(project.getTestClasspathElements()));
        libraries.removeAll(List.of(classes.toPath(), testClasses.toPath()));
        libraries.removeAll(libraries());
        return libraries;
    }

    private List<Path> sources() {
        return paths(project.getCompileSourceRoots()).stream().filter(Files::isDirectory).collect(Collectors.toList());
    }

    private static List<Path> paths(Collection<String> names) {
        return names.stream().map(Path::of).collect(Collectors.toList());
    }
}
