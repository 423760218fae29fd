package dev.sluice.local;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("D")
class DirectionTest {
  private static final JavaClasses SLUICE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.sluice");
  private static final String[] SERVICES = {
    "dev.sluice.ingest..", "dev.sluice.dispatcher..", "dev.sluice.recovery..", "dev.sluice.worker.."
  };

  @Test
  void contractsKnowNothingOfSpringNorOfTheRest() {
    noClasses()
        .that()
        .resideInAPackage("dev.sluice.contracts..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.springframework..",
            "dev.sluice.schema..",
            "dev.sluice.operate..",
            "dev.sluice.servers..")
        .orShould()
        .dependOnClassesThat()
        .resideInAnyPackage(SERVICES)
        .check(SLUICE);
  }

  @Test
  void servicesNeverDependOnEachOther() {
    SlicesRuleDefinition.slices()
        .matching("dev.sluice.(ingest|dispatcher|recovery|worker)..")
        .should()
        .notDependOnEachOther()
        .check(SLUICE);
  }

  @Test
  void onlyTheLocalStackKnowsTheServicesAndTheEmbeddedServers() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.sluice.schema..", "dev.sluice.servers..", "dev.sluice.operate..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(SERVICES)
        .check(SLUICE);
    noClasses()
        .that()
        .resideInAnyPackage(SERVICES)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.sluice.servers..", "dev.sluice.local..")
        .check(SLUICE);
  }
}
