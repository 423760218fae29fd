package dev.sluice.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.contracts.ItemState;
import dev.sluice.contracts.ItemTransition;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The schema says the same as the code. */
class SchemaTest {
  private static final Pattern PAIR = Pattern.compile("(\\w+)>(\\w+)");

  private final Sluice sluice = Sluice.shared();

  @Test
  @Tag("Q1")
  void theTriggerKnowsTheTransitionsOfTheTable() {
    String trigger =
        sluice
            .jdbc()
            .sql("select pg_get_triggerdef(oid) from pg_trigger where tgname = 'queue_transition'")
            .query(String.class)
            .single();
    var inSchema =
        PAIR.matcher(trigger)
            .results()
            .map(pair -> pair.group(1) + "→" + pair.group(2))
            .collect(Collectors.toCollection(TreeSet::new));
    var inTable =
        Arrays.stream(ItemTransition.values())
            .filter(t -> t.from().isPresent() && t.from().get() != t.to())
            .map(t -> t.from().get() + "→" + t.to())
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(inSchema).isEqualTo(inTable);
  }

  @Test
  void aTransitionThatIsNotInTheTableIsRefused() {
    String ws = sluice.workspace("FREE");
    UUID id = sluice.enqueue(ws, "{}");
    sluice.awaitState(id, ItemState.DISPATCHED.name());
    assertThatThrownBy(
            () ->
                sluice
                    .jdbc()
                    .sql("update workflow_execution_queue set state = 'PENDING' where id = ?")
                    .param(id)
                    .update())
        .hasMessageContaining("cannot go from DISPATCHED to PENDING");
  }

  @Test
  @Tag("Q5")
  void thePlansAreSeeded() {
    assertThat(
            sluice
                .jdbc()
                .sql("select id || ' ' || concurrency_limit from plan order by concurrency_limit")
                .query(String.class)
                .list())
        .containsExactly("FREE 1", "PRO 5", "ENTERPRISE 20");
  }
}
