package dev.sluice.dispatcher;

import dev.sluice.dispatcher.start.StartQueue;
import org.springframework.context.SmartLifecycle;

/**
 * Ends first: what was claimed and never sent is given back while its workspaces are still ours, so
 * that whoever owns them next has nothing to take over.
 */
final class Sending implements SmartLifecycle {
  private final Pipeline pipeline;
  private final StartQueue starts;
  private volatile boolean running;

  Sending(Pipeline pipeline, StartQueue starts) {
    this.pipeline = pipeline;
    this.starts = starts;
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    pipeline.unsent(starts.stop());
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return Phases.SENDING;
  }
}
