package dev.sluice.dispatcher;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * @param enabled false: requests are still accepted and kept, and nothing is started
 */
@ConfigurationProperties("sluice.engine")
record EngineSettings(@DefaultValue("true") boolean enabled) {}
