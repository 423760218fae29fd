package dev.sluice.bench.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceProcessTest {
  @TempDir Path root;

  @Test
  void theRunnableJarIsTakenWhateverItsVersion() throws IOException {
    Path target = Files.createDirectories(root.resolve("ingest-service/target"));
    Files.createFile(target.resolve("ingest-service-1.2.jar"));
    Path runnable = Files.createFile(target.resolve("ingest-service-1.2-exec.jar"));
    assertThat(ServiceProcess.jar(root, "ingest")).isEqualTo(runnable);
  }

  @Test
  void withoutTheJarASentenceSaysWhatMakesIt() {
    assertThatThrownBy(() -> ServiceProcess.jar(root, "ingest"))
        .hasMessageContaining("ingest-service")
        .hasMessageContaining("./sluice bench");
  }
}
