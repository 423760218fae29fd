package dev.sluice.ingest.page;

import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/** Where the page is: at the root, and what it is made of beside it. */
@Configuration(proxyBeanMethods = false)
class PageConfiguration {
  /** After controllers, before what answers unknown paths. */
  private static final int ORDER = 1;

  @Bean
  PageFiles pageFiles() {
    return new PageFiles();
  }

  @Bean
  SimpleUrlHandlerMapping page(PageFiles files) {
    return new SimpleUrlHandlerMapping(
        Map.of("/", files, "/page/*.js", files, "/page/*.css", files, "/page/*.svg", files), ORDER);
  }
}
