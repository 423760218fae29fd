package dev.sluice.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;

/** Ports of this machine's loopback address, which is the only one the servers listen on. */
public final class Ports {
  static final String LOOPBACK = "127.0.0.1";

  private static final InetAddress IPV4_LOOPBACK = ipv4Loopback();

  private Ports() {}

  static InetSocketAddress onLoopback(int port) {
    return new InetSocketAddress(IPV4_LOOPBACK, port);
  }

  /** The same port when it is free; for 0 any free one. */
  public static int claim(int port, String server, String setting) {
    if (port < 0 || port > 65535) {
      throw new CannotStart(
          "%s cannot listen on port %d; give %s a number from 0 (any free one) to 65535."
              .formatted(server, port, setting));
    }
    try (var socket = new ServerSocket()) {
      // As the servers do: a port that only lingers after a stop counts as free.
      socket.setReuseAddress(true);
      socket.bind(onLoopback(port));
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new CannotStart(
          "Port %d is taken, so %s cannot listen there; stop the program that has it or choose another with %s."
              .formatted(port, server, setting),
          e);
    }
  }

  private static InetAddress ipv4Loopback() {
    try {
      return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}
