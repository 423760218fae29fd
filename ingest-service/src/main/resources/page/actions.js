// What a person may do to an execution or a workspace. Each asks first, for a reason too: the audit keeps it.
import { actor } from "./actor.js";
import { call } from "./api.js";
import { localTime, openForm } from "./form-dialog.js";
import { isRunning, shortId } from "./format.js";
import { done } from "./messages.js";
import { go } from "./place.js";

const REASON = { name: "reason", label: "Reason", maxlength: 500, autocomplete: "off", hint: "Kept in the audit." };

export function cancel(execution, look) {
  openForm({
    title: `Cancel execution ${shortId(execution.id)}`,
    intro: isRunning(execution) ? "It runs, so its workflow is asked to stop." : "It waits, so it is taken back at once.",
    fields: [
      REASON,
      { name: "terminateAfter", label: "Terminate after", placeholder: "PT30S", autocomplete: "off",
        hint: "ISO 8601 duration. What is still open so long after it was asked is terminated; empty: never." },
    ],
    submit: "Cancel it",
    send: act("cancelExecution", { id: execution.id }, () => `Execution ${shortId(execution.id)} is ${isRunning(execution) ? "asked to stop" : "taken back"}.`, look),
  });
}

export function retry(execution, look) {
  openForm({
    title: `Retry execution ${shortId(execution.id)}`,
    intro: execution.status === "FAILED" ? "Nothing was started, so it keeps its id." : "It was started once, so it becomes a new execution.",
    fields: [REASON],
    submit: "Retry it",
    send: act("retryExecution", { id: execution.id }, ({ id }) => {
      if (id !== execution.id) {
        go({ id });
      }
      return `Execution ${shortId(execution.id)} is run again as ${shortId(id)}.`;
    }, look),
  });
}

export function pause(workspace, look) {
  openForm({
    title: `Pause workspace ${workspace.id}`,
    intro: "Nothing new of it is started. What runs goes on.",
    fields: [
      REASON,
      { name: "until", label: "Until", type: "datetime-local", step: 1, read: localTime, hint: "In your local time. Empty: until it is resumed." },
    ],
    submit: "Pause it",
    send: act("pauseWorkspace", { ws: workspace.id }, () => `Workspace ${workspace.id} is paused.`, look),
  });
}

export function resume(workspace, look) {
  openForm({
    title: `Resume workspace ${workspace.id}`,
    fields: [REASON],
    submit: "Resume it",
    send: act("resumeWorkspace", { ws: workspace.id }, () => `Workspace ${workspace.id} is resumed.`, look),
  });
}

function act(name, at, sentence, look) {
  return async (values) => {
    const { json } = await call(name, at, { body: JSON.stringify(values), actor: actor() });
    done(sentence(json));
    look();
  };
}
