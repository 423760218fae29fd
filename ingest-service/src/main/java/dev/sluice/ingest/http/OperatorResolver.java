package dev.sluice.ingest.http;

import dev.sluice.ingest.audit.Operator;
import java.security.Principal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/**
 * Reads what {@link By} marks. Who has proved who they are is believed; without that, the header is
 * what a proxy or a script in front of us says.
 */
final class OperatorResolver implements HandlerMethodArgumentResolver {
  static final String HEADER = "X-Sluice-Actor";
  static final String PATTERN = "^[!-~]([ -~]{0,98}[!-~])?$";

  private static final Pattern PLAIN = Pattern.compile(PATTERN);

  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return parameter.hasParameterAnnotation(By.class);
  }

  @Override
  public Operator resolveArgument(
      MethodParameter parameter,
      @Nullable ModelAndViewContainer container,
      NativeWebRequest request,
      @Nullable WebDataBinderFactory binders) {
    return operator(request.getUserPrincipal(), request.getHeader(HEADER));
  }

  static Operator operator(@Nullable Principal principal, @Nullable String header) {
    // Checked in any case, so that a mistake shows before somebody switches authentication on.
    if (header != null && !PLAIN.matcher(header).matches()) {
      throw ProblemException.badField(HEADER, "must be 1 to 100 plain characters");
    }
    if (principal != null) {
      return new Operator(principal.getName(), null);
    }
    return new Operator(header == null ? Operator.ANONYMOUS : header, null);
  }
}
