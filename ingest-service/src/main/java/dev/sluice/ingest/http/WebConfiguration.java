package dev.sluice.ingest.http;

import java.util.List;
import org.apache.catalina.core.StandardHost;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

@Configuration(proxyBeanMethods = false)
class WebConfiguration implements WebMvcConfigurer {
  private static final String SOCKET_BUFFER = "4096";

  @Override
  public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
    resolvers.add(new JsonBodyResolver());
    resolvers.add(new OperatorResolver());
  }

  /** Last, because Boot puts a valve of its own there. */
  @Bean
  @Order(Ordered.LOWEST_PRECEDENCE)
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> tomcat() {
    return factory -> {
      // A connection keeps these for as long as it is open, and most are small.
      factory.addConnectorCustomizers(
          connector -> {
            connector.setProperty("socket.appReadBufSize", SOCKET_BUFFER);
            connector.setProperty("socket.appWriteBufSize", SOCKET_BUFFER);
          });
      factory.addContextCustomizers(
          context -> {
            if (context.getParent() instanceof StandardHost host) {
              host.setErrorReportValveClass(ProblemValve.class.getName());
            }
          });
    };
  }
}
