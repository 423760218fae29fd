package dev.sluice.ingest.catalogue;

import dev.sluice.ingest.audit.Audit;
import dev.sluice.ingest.audit.Changes;
import dev.sluice.ingest.audit.Operator;
import dev.sluice.ingest.flow.Pause;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Who may run what, and how much of it. Every change is committed when its method returns, together
 * with its line in the audit.
 */
@Service
public class Catalogue {
  private final PlanRepository plans;
  private final WorkspaceRepository workspaces;
  private final DefinitionRepository definitions;
  private final Audit audit;
  private final TransactionTemplate transaction;

  Catalogue(
      PlanRepository plans,
      WorkspaceRepository workspaces,
      DefinitionRepository definitions,
      Audit audit,
      PlatformTransactionManager transactions) {
    this.plans = plans;
    this.workspaces = workspaces;
    this.definitions = definitions;
    this.audit = audit;
    this.transaction = new TransactionTemplate(transactions);
  }

  /**
   * @param weight absent: as it is, and as usual where it is new
   */
  public Plan putPlan(String id, int limit, @Nullable Integer weight, Operator by) {
    return transaction.execute(
        status -> {
          Plan before = plans.locked(id).orElse(null);
          int usual = before == null ? Plan.DEFAULT_WEIGHT : before.weight();
          var plan = new Plan(id, limit, weight == null ? usual : weight);
          plans.put(plan);
          audit.changed(by, "plan.put", null, id, CatalogueChanges.of(before, plan));
          return plan;
        });
  }

  public List<Plan> plans() {
    return plans.all();
  }

  /** Empty when there is no such plan. */
  public Optional<Workspace> putWorkspace(String id, WorkspaceSettings settings, Operator by) {
    boolean stored =
        transaction.execute(
            status -> {
              WorkspaceSettings before = workspaces.locked(id).orElse(null);
              boolean put = workspaces.put(id, settings);
              if (put) {
                audit.changed(by, "workspace.put", id, null, CatalogueChanges.of(before, settings));
              }
              return put;
            });
    return stored ? workspaces.workspace(id) : Optional.empty();
  }

  /** Without looking at how it stands, which takes counting. */
  public boolean isWorkspace(String id) {
    return workspaces.exists(id);
  }

  public Optional<Workspace> workspace(String id) {
    return workspaces.workspace(id);
  }

  public Page<Workspace> workspaces(String after, int limit) {
    return page(workspaces.workspaces(after, limit + 1), limit, Workspace::id);
  }

  /** Empty when there is no such workspace. */
  public Optional<Definition> putDefinition(
      String workspace, String id, DefinitionDraft draft, Operator by) {
    boolean stored = transaction.execute(status -> put(workspace, id, draft, by));
    return stored ? definitions.definition(workspace, id) : Optional.empty();
  }

  public Optional<Definition> definition(String workspace, String id) {
    return definitions.definition(workspace, id);
  }

  public Page<Definition> definitions(String workspace, String after, int limit) {
    return page(definitions.definitions(workspace, after, limit + 1), limit, Definition::id);
  }

  /** What became of a pause. */
  public enum Paused {
    DONE,
    UNKNOWN,
    ALREADY_OVER
  }

  public Paused pause(String workspace, Pause pause, Operator by) {
    var changes = Changes.none().with("until", pause.until());
    if (audited(
        () -> workspaces.pause(workspace, pause),
        () -> audit.changed(by, "workspace.pause", workspace, null, changes))) {
      return Paused.DONE;
    }
    return workspaces.exists(workspace) ? Paused.ALREADY_OVER : Paused.UNKNOWN;
  }

  /** False when there is no such workspace. */
  public boolean resume(String workspace, Operator by) {
    return audited(
        () -> workspaces.resume(workspace),
        () -> audit.changed(by, "workspace.resume", workspace, null, Changes.none()));
  }

  public Paused pause(String workspace, String definition, Pause pause, Operator by) {
    var changes = Changes.none().with("until", pause.until());
    if (audited(
        () -> definitions.pause(workspace, definition, pause),
        () -> audit.changed(by, "definition.pause", workspace, definition, changes))) {
      return Paused.DONE;
    }
    return definitions.definition(workspace, definition).isPresent()
        ? Paused.ALREADY_OVER
        : Paused.UNKNOWN;
  }

  /** False when there is no such definition. */
  public boolean resume(String workspace, String definition, Operator by) {
    return audited(
        () -> definitions.resume(workspace, definition),
        () -> audit.changed(by, "definition.resume", workspace, definition, Changes.none()));
  }

  /** The line is written when the change was made. */
  private boolean audited(Supplier<Boolean> change, Runnable line) {
    return transaction.execute(
        status -> {
          boolean done = change.get();
          if (done) {
            line.run();
          }
          return done;
        });
  }

  /** False when there is no such workspace. */
  private boolean put(String workspace, String id, DefinitionDraft draft, Operator by) {
    if (definitions.create(workspace, id, draft)) {
      definitions.addVersion(workspace, id, 1, draft);
      audit.changed(
          by, "definition.put", workspace, id, CatalogueChanges.of(null, 1, draft.settings()));
      return true;
    }
    var current = definitions.locked(workspace, id);
    current.ifPresent(
        before -> {
          int version = replace(workspace, id, before.version(), draft);
          var changes = CatalogueChanges.of(before, version, draft.settings());
          audit.changed(by, "definition.put", workspace, id, changes);
        });
    return current.isPresent();
  }

  private int replace(String workspace, String id, int current, DefinitionDraft draft) {
    boolean same = definitions.isSame(workspace, id, current, draft);
    int version = same ? current : current + 1;
    if (!same) {
      definitions.addVersion(workspace, id, version, draft);
    }
    definitions.update(workspace, id, version, draft);
    return version;
  }

  /** Cuts off the one item that was asked for only to see whether there is more. */
  private static <T> Page<T> page(List<T> items, int limit, Function<T, String> id) {
    if (items.size() <= limit) {
      return new Page<>(items, null);
    }
    List<T> page = items.subList(0, limit);
    return new Page<>(page, id.apply(page.getLast()));
  }
}
