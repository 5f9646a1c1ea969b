package org.asercheck.maven;

import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.ResolutionScope;

/** Records all findings in the baseline, so that {@code check} reports new ones only. */
@Mojo(name = "baseline", requiresDependencyResolution = ResolutionScope.TEST, threadSafe = true)
public final class BaselineMojo extends AsercheckMojo {
    @Override
    void complete(Arguments arguments) {
        arguments.paths("--write-baseline", List.of(baseline())).all(List.of("--quiet"));
    }

    @Override
    void judge(Answer answer) throws MojoExecutionException {
        switch (answer) {
            case NOTHING_NEW:
            case NEW_FINDINGS:
                getLog().info("recorded in " + baseline());
                return;
            case INCOMPLETE:
                throw new MojoExecutionException(
                        "asercheck: not everything was analysed, so that " + baseline() + " may lack findings");
            default:
                throw new MojoExecutionException("asercheck: no baseline was written; the messages say why");
        }
    }
}
