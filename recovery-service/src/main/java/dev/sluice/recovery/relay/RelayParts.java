package dev.sluice.recovery.relay;

import java.util.Map;
import java.util.Properties;

/** What a relay is made of. */
record RelayParts(
    RelaySettings settings,
    RelayLedger ledger,
    Replay replay,
    RelayMetrics metrics,
    Map<String, Object> kafka,
    Properties database) {}
