package dev.sluice.dispatcher.simulator;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * One dispatcher's connection to PostgreSQL, which can break before or after any statement and any
 * commit, together with the process or without it.
 */
final class Wire {
  /** What happens at the chosen statement. */
  enum Fault {
    NONE,
    CRASH_BEFORE,
    CRASH_AFTER,
    LOST_BEFORE,
    /** The statement or the commit went through, and nobody heard of it. */
    LOST_AFTER,
    /** The same, but of a commit. */
    LOST_AFTER_COMMIT
  }

  private static final Set<String> CALLS =
      Set.of("execute", "executeQuery", "executeUpdate", "executeLargeUpdate", "commit");

  private final Connection real;
  private final UnaryOperator<String> sql;
  private final Connection connection;
  private Fault fault = Fault.NONE;
  private int leftBefore;
  private boolean cut;
  private Runnable beforeCommit = () -> {};

  Wire(Connection real, UnaryOperator<String> sql) {
    this.real = real;
    this.sql = sql;
    this.connection = proxy(Connection.class, (p, method, args) -> onConnection(method, args));
  }

  Connection connection() {
    return connection;
  }

  /**
   * @param after so many statements, or commits, go well before
   */
  void arm(Fault fault, int after) {
    this.fault = fault;
    this.leftBefore = after;
  }

  void disarm() {
    fault = Fault.NONE;
  }

  /** The process is dead: nothing it does reaches the database any more. */
  void cut() {
    cut = true;
  }

  /** Once, right before the next transaction commits. */
  void beforeNextCommit(Runnable work) {
    beforeCommit = work;
  }

  private Object onConnection(Method method, Object[] args) throws Throwable {
    return switch (method.getName()) {
      case "prepareStatement" -> {
        args[0] = sql.apply((String) args[0]);
        yield statement(PreparedStatement.class, (Statement) call(real, method, args));
      }
      case "createStatement" -> statement(Statement.class, (Statement) call(real, method, args));
      case "commit" -> {
        Runnable work = beforeCommit;
        beforeCommit = () -> {};
        work.run();
        yield guarded(real, method, args);
      }
      default -> call(real, method, args);
    };
  }

  private <T extends Statement> T statement(Class<T> type, Statement statement) {
    return proxy(
        type,
        (p, method, args) -> {
          if (args != null && method.getName().startsWith("execute")) {
            args[0] = sql.apply((String) args[0]);
          }
          return CALLS.contains(method.getName())
              ? guarded(statement, method, args)
              : call(statement, method, args);
        });
  }

  private Object guarded(Object target, Method method, Object[] args) throws Throwable {
    if (cut) {
      throw new Crash("dead already");
    }
    boolean counts = fault != Fault.LOST_AFTER_COMMIT || method.getName().equals("commit");
    boolean now = fault != Fault.NONE && counts && leftBefore-- <= 0;
    Fault what = now ? fault : Fault.NONE;
    if (now) {
      fault = Fault.NONE;
    }
    switch (what) {
      case CRASH_BEFORE -> crash("before a statement");
      case LOST_BEFORE -> throw lost();
      default -> {}
    }
    Object result = call(target, method, args);
    switch (what) {
      case CRASH_AFTER -> crash("after a statement");
      case LOST_AFTER, LOST_AFTER_COMMIT -> throw lost();
      default -> {}
    }
    return result;
  }

  private void crash(String where) {
    cut = true;
    throw new Crash(where);
  }

  private static SQLException lost() {
    return new SQLException("the connection is lost", "08006");
  }

  private static Object call(Object target, Method method, Object[] args) throws Throwable {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(Wire.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
