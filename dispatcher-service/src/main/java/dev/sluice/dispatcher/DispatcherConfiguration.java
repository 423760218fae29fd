package dev.sluice.dispatcher;

import dev.sluice.dispatcher.admit.Admission;
import dev.sluice.dispatcher.admit.AdmitSettings;
import dev.sluice.dispatcher.finish.CloseWatcher;
import dev.sluice.dispatcher.finish.FinishSettings;
import dev.sluice.dispatcher.finish.TemporalCanceller;
import dev.sluice.dispatcher.finish.TemporalCloses;
import dev.sluice.dispatcher.finish.WorkflowCanceller;
import dev.sluice.dispatcher.intake.IntakeSettings;
import dev.sluice.dispatcher.ledger.AdmitLedger;
import dev.sluice.dispatcher.ledger.DefinitionLedger;
import dev.sluice.dispatcher.ledger.FinishLedger;
import dev.sluice.dispatcher.ledger.HandoverLedger;
import dev.sluice.dispatcher.ledger.SettleLedger;
import dev.sluice.dispatcher.ledger.TakeoverLedger;
import dev.sluice.dispatcher.ledger.WakeLedger;
import dev.sluice.dispatcher.ledger.WorkspaceLock;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import dev.sluice.dispatcher.owner.Ownership;
import dev.sluice.dispatcher.owner.SignalSender;
import dev.sluice.dispatcher.settle.Settlement;
import dev.sluice.dispatcher.start.SearchAttributeSetup;
import dev.sluice.dispatcher.start.StartQueue;
import dev.sluice.dispatcher.start.StartSettings;
import dev.sluice.dispatcher.start.TemporalStarter;
import dev.sluice.dispatcher.takeover.Takeover;
import dev.sluice.dispatcher.takeover.TakeoverLoop;
import dev.sluice.dispatcher.temporal.CallbackSettings;
import dev.sluice.dispatcher.temporal.CompletionCallbacks;
import dev.sluice.dispatcher.temporal.TemporalSettings;
import dev.sluice.dispatcher.trace.Traces;
import dev.sluice.dispatcher.wake.Waker;
import dev.sluice.dispatcher.wake.WakerLoop;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.tracing.Tracer;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** The parts, in the order of the flow. */
@Configuration(proxyBeanMethods = false)
class DispatcherConfiguration {
  @Bean(destroyMethod = "shutdownNow")
  ScheduledExecutorService timer() {
    // After it has stopped nothing is due any more: answers of Temporal may still come in then.
    return new ScheduledThreadPoolExecutor(
        1,
        Thread.ofPlatform().name("sluice-timer").daemon().factory(),
        new ThreadPoolExecutor.DiscardPolicy());
  }

  @Bean
  DispatcherMetrics dispatcherMetrics(MeterRegistry registry, ObjectProvider<Tracer> tracer) {
    return new DispatcherMetrics(registry, Traces.of(tracer.getIfAvailable()));
  }

  @Bean
  SignalSender signalSender(Producer<String, byte[]> producer, Ownership ownership) {
    return new SignalSender(producer, ownership);
  }

  @Bean
  Settling settling(JdbcTemplate jdbc, DispatcherMetrics metrics) {
    return new Settling(new SettleLedger(jdbc), metrics);
  }

  @Bean
  Pipeline pipeline(
      JdbcTemplate jdbc,
      TransactionTemplate transaction,
      StartSettings start,
      Settling settling,
      DispatcherMetrics metrics,
      EngineSettings engine) {
    return new Pipeline(
        new WorkspaceLock(jdbc),
        new SettleLedger(jdbc),
        new FinishLedger(jdbc),
        transaction,
        new Settlement(start),
        settling,
        metrics,
        engine.enabled());
  }

  @Bean
  CompletionCallbacks completionCallbacks(CallbackSettings settings) {
    return new CompletionCallbacks(settings);
  }

  @Bean
  SearchAttributeSetup searchAttributeSetup(
      WorkflowServiceStubs temporal, TemporalSettings settings, ScheduledExecutorService timer) {
    var setup = new SearchAttributeSetup(temporal, settings.namespace());
    setup.onForgotten(() -> timer.execute(() -> register(setup, timer)));
    timer.execute(() -> register(setup, timer));
    return setup;
  }

  @Bean
  StartQueue startQueue(
      WorkflowServiceStubs temporal,
      TemporalSettings temporalSettings,
      StartSettings settings,
      JdbcTemplate jdbc,
      SearchAttributeSetup searchAttributes,
      CompletionCallbacks callbacks,
      DispatcherMetrics metrics,
      Pipeline pipeline,
      ScheduledExecutorService timer) {
    var starter =
        new TemporalStarter(
            temporal,
            temporalSettings,
            settings,
            new DefinitionLedger(jdbc),
            searchAttributes,
            callbacks,
            metrics.traces());
    return new StartQueue(starter, pipeline, settings, timer, System::nanoTime);
  }

  @Bean
  Admission admission(
      JdbcTemplate jdbc,
      StartQueue starts,
      AdmitSettings settings,
      DispatcherMetrics metrics,
      Ownership ownership,
      SignalSender owner,
      Pipeline pipeline,
      ScheduledExecutorService timer) {
    return new Admission(
        new AdmitLedger(jdbc, ownership.instance(), settings.aging()),
        new HandoverLedger(jdbc, ownership.instance()),
        starts,
        settings,
        metrics,
        owner,
        pipeline.later(timer));
  }

  @Bean
  CloseWatcher closeWatcher(
      WorkflowServiceStubs temporal,
      TemporalSettings temporalSettings,
      FinishSettings settings,
      Pipeline pipeline,
      StartQueue starts,
      ScheduledExecutorService timer) {
    return new CloseWatcher(
        new TemporalCloses(temporal, temporalSettings.namespace()),
        pipeline::closed,
        pipeline::unknown,
        settings,
        timer,
        starts::isBusy);
  }

  @Bean
  WorkflowCanceller workflowCanceller(
      WorkflowServiceStubs temporal, TemporalSettings settings, ScheduledExecutorService timer) {
    return new TemporalCanceller(temporal, settings.namespace(), timer);
  }

  @Bean
  PipelineLoop pipelineLoop(
      Pipeline pipeline,
      Settling settling,
      Admission admission,
      StartQueue starts,
      CloseWatcher watcher,
      WorkflowCanceller canceller,
      TakeoverLoop takeover) {
    pipeline.connect(admission, starts, watcher, canceller, takeover::doubt);
    return new PipelineLoop(pipeline, settling, starts);
  }

  @Bean
  Sending sending(Pipeline pipeline, StartQueue starts) {
    return new Sending(pipeline, starts);
  }

  @Bean
  TakeoverLoop takeoverLoop(
      JdbcTemplate jdbc,
      Ownership ownership,
      Pipeline pipeline,
      StartQueue starts,
      CloseWatcher watcher,
      WorkflowCanceller canceller,
      DispatcherMetrics metrics,
      IntakeSettings intake) {
    var takeover =
        new Takeover(
            new TakeoverLedger(jdbc, ownership.instance()),
            ownership,
            pipeline,
            starts,
            watcher,
            canceller,
            metrics);
    return new TakeoverLoop(takeover, ownership, intake.sweepEvery());
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  WakerLoop wakerLoop(
      JdbcTemplate jdbc,
      TransactionTemplate transaction,
      Pipeline pipeline,
      WorkflowCanceller canceller) {
    var loop =
        new WakerLoop(
            new Waker(
                new WakeLedger(jdbc),
                new FinishLedger(jdbc),
                new WorkspaceLock(jdbc),
                transaction,
                pipeline,
                canceller));
    pipeline.onDelayed(loop::recheck);
    return loop;
  }

  private static void register(SearchAttributeSetup setup, ScheduledExecutorService timer) {
    if (setup.runOnce()) {
      var _ = timer.schedule(() -> register(setup, timer), 5, TimeUnit.SECONDS);
    }
  }
}
