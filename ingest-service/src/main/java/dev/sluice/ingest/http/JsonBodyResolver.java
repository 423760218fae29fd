package dev.sluice.ingest.http;

import dev.sluice.contracts.DeadLetterReason;
import dev.sluice.contracts.Json;
import dev.sluice.contracts.Parsed;
import dev.sluice.contracts.RequestParser;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.MediaType;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import tools.jackson.databind.node.ObjectNode;

/** Reads what {@link JsonBody} marks. */
final class JsonBodyResolver implements HandlerMethodArgumentResolver {
  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return parameter.hasParameterAnnotation(JsonBody.class);
  }

  @Override
  public ObjectNode resolveArgument(
      MethodParameter parameter,
      @Nullable ModelAndViewContainer container,
      NativeWebRequest request,
      @Nullable WebDataBinderFactory binders)
      throws IOException, HttpMediaTypeNotSupportedException {
    var servlet = Objects.requireNonNull(request.getNativeRequest(HttpServletRequest.class));
    var annotation = Objects.requireNonNull(parameter.getParameterAnnotation(JsonBody.class));
    byte[] bytes = read(servlet, annotation.largest());
    if (bytes.length == 0 && !annotation.required()) {
      return Json.MAPPER.createObjectNode();
    }
    refuseOtherTypes(servlet.getContentType());
    return switch (RequestParser.object(bytes, annotation.largest())) {
      case Parsed.Valid<ObjectNode>(var object) -> object;
      case Parsed.Invalid<ObjectNode> invalid ->
          throw invalid.reason() == DeadLetterReason.TOO_LARGE
              ? ProblemException.tooLarge("The body " + invalid.detail())
              : ProblemException.badFields(invalid.problems());
    };
  }

  private static byte[] read(HttpServletRequest request, int largest) throws IOException {
    if (request.getContentLengthLong() > largest) {
      throw tooLarge(largest);
    }
    byte[] bytes = request.getInputStream().readNBytes(largest + 1);
    if (bytes.length > largest) {
      throw tooLarge(largest);
    }
    return bytes;
  }

  private static ProblemException tooLarge(int largest) {
    return ProblemException.tooLarge("The body may have at most %d bytes".formatted(largest));
  }

  private static void refuseOtherTypes(@Nullable String contentType)
      throws HttpMediaTypeNotSupportedException {
    MediaType type = contentType == null ? null : MediaType.parseMediaType(contentType);
    if (type == null || !MediaType.APPLICATION_JSON.isCompatibleWith(type)) {
      throw new HttpMediaTypeNotSupportedException(type, List.of(MediaType.APPLICATION_JSON));
    }
  }
}
