package org.asercheck.maven;

import java.nio.file.Path;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.RepositorySystemSession;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;

/** The artifact of the command, which has a classifier for each platform. */
final class CommandArtifact {
    private static final String GROUP = "org.asercheck";
    private static final String NAME = "asercheck-command";

    private CommandArtifact() {}

    /** Returns the program of a version, from the local repository or from those that plugins come from. */
    static Path resolve(
            RepositorySystem system, RepositorySystemSession session, List<RemoteRepository> remote, String version)
            throws MojoExecutionException {
        Artifact artifact = new DefaultArtifact(GROUP, NAME, Platform.classifier(), "exe", version);
        try {
            ArtifactRequest request = new ArtifactRequest(artifact, remote, null);
            return executable(system.resolveArtifact(session, request).getArtifact().getFile().toPath());
        } catch (ArtifactResolutionException error) {
            throw new MojoExecutionException(
                    "there is no command for this platform (" + artifact + "); "
                            + "name an installed one with -Dasercheck.command=FILE", error);
        }
    }

    /** Repositories do not keep whether a file may be executed. */
    private static Path executable(Path program) throws MojoExecutionException {
        if (!program.toFile().canExecute() && !program.toFile().setExecutable(true)) {
            throw new MojoExecutionException(program + " cannot be made executable");
        }
        return program;
    }
}
