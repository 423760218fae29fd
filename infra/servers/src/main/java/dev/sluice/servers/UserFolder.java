package dev.sluice.servers;

import java.nio.file.Path;

/** {@code ~/.sluice}: what is fetched or unpacked once and used by every run of this user. */
final class UserFolder {
  private UserFolder() {}

  static Path path() {
    return Path.of(System.getProperty("user.home"), ".sluice");
  }
}
