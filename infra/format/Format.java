import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs google-java-format over every Java file of the project, on the JDK that compiles it: {@code
 * check} fails and names the files that differ, {@code apply} rewrites them.
 */
public class Format {
  public static void main(String[] args) throws IOException {
    boolean apply = args[0].equals("apply");
    var command =
        new ArrayList<String>(
            apply ? List.of("--replace") : List.of("--dry-run", "--set-exit-if-changed"));
    try (var files = Files.walk(Path.of(args[1]))) {
      files
          .filter(f -> f.toString().endsWith(".java"))
          .filter(f -> !f.toString().contains("/target/") && !f.toString().contains("/."))
          .map(Path::toString)
          .forEach(command::add);
    }
    if (!apply) {
      System.out.println(
          "Files listed below differ from the format; ./mvnw -N -Pformat verify mends them.");
    }
    com.google.googlejavaformat.java.Main.main(command.toArray(String[]::new));
  }
}
