package dev.sluice.dispatcher;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A collector that keeps what it gets. Reads OTLP by its field numbers, so that no generated code
 * is needed.
 */
final class OtlpReceiver implements AutoCloseable {
  private final HttpServer server;
  private final List<Span> spans = new CopyOnWriteArrayList<>();

  /** A span; ids in hex, the parent empty where there is none. */
  record Span(String name, String traceId, String id, String parentId, List<String> linkedTraces) {}

  OtlpReceiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext("/v1/traces", this::take);
    server.start();
  }

  String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  List<Span> spans() {
    return spans;
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void take(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    if ("gzip".equals(exchange.getRequestHeaders().getFirst("content-encoding"))) {
      body =
          new java.util.zip.GZIPInputStream(new java.io.ByteArrayInputStream(body)).readAllBytes();
    }
    for (UnknownFieldSet resource : inside(UnknownFieldSet.parseFrom(body), 1)) {
      for (UnknownFieldSet scope : inside(resource, 2)) {
        inside(scope, 2).forEach(span -> spans.add(read(span)));
      }
    }
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
  }

  private static Span read(UnknownFieldSet span) {
    return new Span(
        bytes(span, 5).toStringUtf8(),
        hex(span, 1),
        hex(span, 2),
        hex(span, 4),
        inside(span, 13).stream().map(link -> hex(link, 1)).toList());
  }

  private static String hex(UnknownFieldSet message, int field) {
    return HexFormat.of().formatHex(bytes(message, field).toByteArray());
  }

  private static ByteString bytes(UnknownFieldSet message, int field) {
    var all = message.getField(field).getLengthDelimitedList();
    return all.isEmpty() ? ByteString.EMPTY : all.getFirst();
  }

  private static List<UnknownFieldSet> inside(UnknownFieldSet message, int field) {
    var messages = new ArrayList<UnknownFieldSet>();
    for (ByteString one : message.getField(field).getLengthDelimitedList()) {
      try {
        messages.add(UnknownFieldSet.parseFrom(one));
      } catch (InvalidProtocolBufferException e) {
        throw new IllegalArgumentException(e);
      }
    }
    return messages;
  }
}
