package dev.sluice.ingest.catalogue;

import dev.sluice.ingest.audit.Changes;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a PUT changed, for the audit. */
final class CatalogueChanges {
  private CatalogueChanges() {}

  static Changes of(@Nullable Plan before, Plan after) {
    return Changes.none()
        .from("limit", get(before, Plan::limit), after.limit())
        .from("weight", get(before, Plan::weight), after.weight());
  }

  static Changes of(@Nullable WorkspaceSettings before, WorkspaceSettings after) {
    return Changes.none()
        .from("plan", get(before, WorkspaceSettings::plan), after.plan())
        .from("limit", get(before, WorkspaceSettings::limit), after.limit())
        .from(
            "startsPerSecond",
            get(before, WorkspaceSettings::startsPerSecond),
            after.startsPerSecond())
        .from("burst", get(before, WorkspaceSettings::burst), after.burst())
        .from("backlogLimit", get(before, WorkspaceSettings::backlogLimit), after.backlogLimit());
  }

  static Changes of(
      DefinitionRepository.@Nullable Current before, int version, DefinitionSettings after) {
    DefinitionSettings old = before == null ? null : before.settings();
    return Changes.none()
        .from("version", get(before, DefinitionRepository.Current::version), version)
        .from("maxAttempts", get(old, DefinitionSettings::maxAttempts), after.maxAttempts())
        .from("limit", get(old, DefinitionSettings::limit), after.limit())
        .from("collision", get(old, CatalogueChanges::collision), collision(after))
        .from("backoff.first", get(old, CatalogueChanges::first), first(after))
        .from("backoff.longest", get(old, CatalogueChanges::longest), longest(after));
  }

  private static String collision(DefinitionSettings settings) {
    return settings.collision().text();
  }

  private static @Nullable Object first(DefinitionSettings settings) {
    return settings.backoff() == null ? null : settings.backoff().first();
  }

  private static @Nullable Object longest(DefinitionSettings settings) {
    return settings.backoff() == null ? null : settings.backoff().longest();
  }

  private static <T, R extends @Nullable Object> @Nullable R get(
      @Nullable T before, Function<T, R> field) {
    return before == null ? null : field.apply(before);
  }
}
