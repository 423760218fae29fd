package dev.sluice.dispatcher.temporal;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What to do when a gRPC call comes back, on the thread it comes back on. */
public final class Calls {
  private Calls() {}

  public static <T> void when(
      ListenableFuture<T> call, Consumer<T> onSuccess, Consumer<Throwable> onFailure) {
    Futures.addCallback(
        call,
        new FutureCallback<T>() {
          @Override
          public void onSuccess(@Nullable T result) {
            onSuccess.accept(Objects.requireNonNull(result, "a gRPC answer"));
          }

          @Override
          public void onFailure(Throwable failure) {
            onFailure.accept(failure);
          }
        },
        MoreExecutors.directExecutor());
  }
}
