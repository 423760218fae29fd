package dev.sluice.ingest.catalogue;

import dev.sluice.contracts.FieldReader;
import dev.sluice.operate.Check;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What graphs may be made of.
 *
 * @param nodeTypes the types that workers here have on top of the built-in ones
 */
@ConfigurationProperties("sluice.graph")
public record GraphSettings(@DefaultValue Set<String> nodeTypes) {
  public GraphSettings {
    nodeTypes = Set.copyOf(nodeTypes);
    for (String type : nodeTypes) {
      Check.that(
          FieldReader.isId(type),
          "sluice.graph.node-types",
          type,
          "names of letters, digits or _ . : -",
          "http,email");
    }
  }
}
