package dev.sluice.worker.temporal;

import dev.sluice.contracts.graph.SluiceGraph;
import dev.sluice.worker.graph.GraphWorkflow;
import dev.sluice.worker.graph.GraphWorkflowImpl;
import dev.sluice.worker.graph.NodeTimeouts;
import dev.sluice.worker.node.Heartbeats;
import dev.sluice.worker.node.NodeActivities;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The parts of the SDK, put together. Nothing here connects yet. */
@Configuration(proxyBeanMethods = false)
class TemporalConnection {
  @Bean(destroyMethod = "shutdown")
  WorkflowServiceStubs temporal(TemporalSettings settings) {
    return WorkflowServiceStubs.newServiceStubs(
        WorkflowServiceStubsOptions.newBuilder().setTarget(settings.address()).build());
  }

  @Bean
  WorkflowClient workflowClient(WorkflowServiceStubs temporal, TemporalSettings settings) {
    return WorkflowClient.newInstance(
        temporal,
        WorkflowClientOptions.newBuilder()
            .setNamespace(settings.namespace())
            .setDataConverter(
                DefaultDataConverter.newDefaultInstance()
                    .withPayloadConverterOverrides(new JsonPayloads()))
            .build());
  }

  /** Its life is {@link WorkerLifecycle}'s. */
  @Bean(destroyMethod = "")
  WorkerFactory workerFactory(
      WorkflowClient client, WorkerSettings settings, NodeActivities activities) {
    WorkerFactory factory =
        WorkerFactory.newInstance(
            client, WorkerFactoryOptions.newBuilder().setUsingVirtualWorkflowThreads(true).build());
    Worker worker =
        factory.newWorker(
            SluiceGraph.TASK_QUEUE,
            WorkerOptions.newBuilder()
                .setMaxConcurrentActivityExecutionSize(settings.concurrentNodes())
                .setUsingVirtualThreadsOnActivityWorker(true)
                .setStickyQueueScheduleToStartTimeout(settings.stickyTimeout())
                .setMaxHeartbeatThrottleInterval(Heartbeats.INTERVAL)
                .setAllowActivityHeartbeatDuringShutdown(true)
                .build());
    var timeouts = new NodeTimeouts(settings.nodeTimeout(), settings.heartbeatTimeout());
    worker.registerWorkflowImplementationFactory(
        GraphWorkflow.class, () -> new GraphWorkflowImpl(timeouts));
    worker.registerActivitiesImplementations(activities);
    return factory;
  }
}
