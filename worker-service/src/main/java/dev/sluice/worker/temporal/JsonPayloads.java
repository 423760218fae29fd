package dev.sluice.worker.temporal;

import com.google.protobuf.ByteString;
import dev.sluice.contracts.Json;
import io.temporal.api.common.v1.Payload;
import io.temporal.common.converter.DataConverterException;
import io.temporal.common.converter.PayloadConverter;
import java.lang.reflect.Type;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;

/**
 * Plain JSON, read and written by our own mapper: the SDK's is of another Jackson, knows nothing of
 * our types and would turn 1.10 into 1.1.
 */
final class JsonPayloads implements PayloadConverter {
  private static final String ENCODING = "json/plain";

  @Override
  public String getEncodingType() {
    return ENCODING;
  }

  @Override
  public Optional<Payload> toData(Object value) {
    try {
      return Optional.of(
          Payload.newBuilder()
              .putMetadata("encoding", ByteString.copyFromUtf8(ENCODING))
              .setData(ByteString.copyFrom(Json.MAPPER.writeValueAsBytes(value)))
              .build());
    } catch (JacksonException e) {
      throw new DataConverterException(e);
    }
  }

  @Override
  public <T> T fromData(Payload content, Class<T> valueClass, Type valueType) {
    try {
      JavaType type = Json.MAPPER.constructType(valueType);
      return Json.MAPPER.readValue(content.getData().toByteArray(), type);
    } catch (JacksonException e) {
      throw new DataConverterException(content, valueClass, e);
    }
  }
}
