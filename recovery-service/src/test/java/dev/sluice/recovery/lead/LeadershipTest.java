package dev.sluice.recovery.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.recovery.Fixture;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeadershipTest {
  private final Fixture fixture = Fixture.fresh(LeadershipTest.class);
  private final Leadership first = instance("first");
  private final Leadership second = instance("second");

  @AfterEach
  void close() {
    first.close();
    second.close();
    fixture.close();
  }

  private Leadership instance(String name) {
    var database = fixture.database();
    return new Leadership(
        database.url(),
        database.user(),
        database.password(),
        new LeadSettings(name, Duration.ofMillis(100), Duration.ofSeconds(2)));
  }

  @Test
  void oneLeadsAndTheOtherKnowsWho() throws Exception {
    assertThat(first.runOnce()).isEqualTo(Leadership.Round.TOOK_THE_LEAD);
    assertThat(second.runOnce()).isEqualTo(Leadership.Round.STANDS_BY);
    assertThat(first.runOnce()).isEqualTo(Leadership.Round.LEADS);
    assertThat(second.leader()).contains("first");
    assertThat(first.leader()).contains("first");
    assertThat(second.held()).isFalse();
  }

  @Test
  void whoLeavesHandsOverAtOnce() throws Exception {
    first.runOnce();
    first.close();
    assertThat(first.held()).isFalse();
    assertThat(second.runOnce()).isEqualTo(Leadership.Round.TOOK_THE_LEAD);
  }

  @Test
  void aLeaderWhoseConnectionDiesKnowsItAndTheOtherTakesOver() throws Exception {
    first.runOnce();
    second.runOnce();
    fixture
        .sql()
        .sql(
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name ="
                + " 'sluice-recovery first'")
        .query()
        .singleRow();
    await().atMost(Duration.ofSeconds(5)).until(() -> takes(second));
    assertThat(first.runOnce()).isEqualTo(Leadership.Round.LOST_THE_LEAD);
    assertThat(first.runOnce()).isEqualTo(Leadership.Round.STANDS_BY);
    assertThat(first.leader()).contains("second");
  }

  @Test
  void aLeaderThatIsFrozenLosesTheLead() throws Exception {
    first.runOnce();
    // It shows no sign of life from here on, though its connection is open.
    await().atMost(Duration.ofSeconds(8)).until(() -> takes(second));
    assertThat(first.runOnce()).isEqualTo(Leadership.Round.LOST_THE_LEAD);
  }

  private static boolean takes(Leadership leadership) throws SQLException {
    leadership.runOnce();
    return leadership.held();
  }
}
