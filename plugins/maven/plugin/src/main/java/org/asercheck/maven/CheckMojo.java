package org.asercheck.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/** Fails the build if the classes have new findings, and writes a page and SARIF with all findings. */
@Mojo(
        name = "check",
        defaultPhase = LifecyclePhase.VERIFY,
        requiresDependencyResolution = ResolutionScope.TEST,
        threadSafe = true)
public final class CheckMojo extends AsercheckMojo {
    /** The findings that fail the build: {@code any}, {@code possible}, {@code likely} or {@code confirmed}. */
    @Parameter(property = "asercheck.failOn", defaultValue = "likely")
    private String failOn;

    /** Whether such findings fail the build, or are only reported. */
    @Parameter(property = "asercheck.failOnViolation", defaultValue = "true")
    private boolean failOnViolation;

    /** The page with all findings, for a browser. */
    @Parameter(property = "asercheck.page", defaultValue = "${project.build.directory}/asercheck.html")
    private File page;

    /** All findings for code scanning and editors; the name ends in {@code .sarif}. */
    @Parameter(property = "asercheck.sarif", defaultValue = "${project.build.directory}/asercheck.sarif")
    private File sarif;

    @Override
    void complete(Arguments arguments) throws IOException {
        if (Files.exists(baseline())) {
            arguments.paths("--baseline", List.of(baseline()));
        }
        List<Path> reports = List.of(page.toPath(), sarif.toPath());
        for (Path report : reports) {
            Files.createDirectories(report.toAbsolutePath().getParent());
        }
        arguments.option("--fail-on", failOn).paths("--report", reports);
    }

    @Override
    void judge(Answer answer) throws MojoExecutionException, MojoFailureException {
        switch (answer) {
            case NOTHING_NEW:
                return;
            case NEW_FINDINGS:
                findings();
                return;
            case INCOMPLETE:
                throw new MojoFailureException(
                        "asercheck: there is no new finding, but not everything was analysed; the messages say why");
            case WRONG_INPUT:
                throw new MojoExecutionException("asercheck: wrong input or arguments; the messages say which");
            default:
                throw new MojoExecutionException("asercheck has failed");
        }
    }

    private void findings() throws MojoFailureException {
        String message = "asercheck: there are new findings; " + page + " shows them. Repair them, or record them with "
                + "the goal asercheck:baseline";
        if (failOnViolation) {
            throw new MojoFailureException(message);
        }
        getLog().warn(message);
    }
}
