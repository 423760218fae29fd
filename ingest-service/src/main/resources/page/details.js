// All there is to know about one execution.
import { cancel, retry } from "./actions.js";
import { Refused, call } from "./api.js";
import { by, el, note } from "./dom.js";
import { exactly, isOpen, isRetryable, shortId, time } from "./format.js";
import { showProgress } from "./executions.js";
import { go, link, place, workspaceLink } from "./place.js";

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

let shown = "";
let opened = "";
let lookAgain = () => {};

export function onDetailAction(look) {
  lookAgain = look;
}

export function forgetDetails() {
  const { id } = place();
  shown = "";
  by("details").hidden = id === "";
  by("details").replaceChildren(...(id ? [heading(id), el("p", { class: "note" }, "…")] : []));
  // Who opened it by a key reads on in it, and goes on in the list when it is closed.
  const focus = id ? by("details") : document.querySelector(`[data-key="${CSS.escape(opened)}"] a`);
  focus?.focus({ preventScroll: true });
  opened = id;
}

export async function lookAtDetails(signal) {
  const { id } = place();
  if (!id) {
    return;
  }
  try {
    const { json, text } = await call("getExecution", { id }, { signal });
    // Left alone when nothing changed, so that what a person has selected stays selected.
    if (text !== shown) {
      const panel = by("details");
      const focused = panel.contains(document.activeElement) ? document.activeElement.dataset.name : undefined;
      panel.replaceChildren(...content(json, text));
      panel.querySelector(`[data-name="${focused}"]`)?.focus();
      shown = text;
    }
  } catch (error) {
    if (error instanceof Refused && error.problem.status < 500) {
      shown = "";
      by("details").replaceChildren(heading(id), el("p", { class: "note" }, error.message));
    }
    throw error;
  }
}

export function closeOnEscape() {
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && place().id && !document.querySelector("dialog[open]")) {
      go({ id: "" });
    }
  });
}

function heading(id) {
  const close = el("a", { class: "close", href: link({ id: "" }), "aria-label": "Close details", "data-name": "close" }, "×");
  return el("div", { class: "title" }, el("h2", {}, `Execution ${shortId(id)}`), close);
}

function content(execution, source) {
  const { workflow, ...own } = execution;
  const exact = exactly(source);
  const { result, error, progress, ...ofWorkflow } = workflow ?? {};
  return [
    heading(execution.id),
    elsewhere(execution),
    progressBlock(execution),
    buttons(execution),
    fields(own),
    ...(workflow ? [el("h3", {}, "Workflow"), fields({ ...ofWorkflow, progress })] : []),
    ...(error ? [el("h3", {}, "Error"), el("pre", { tabindex: 0 }, error)] : []),
    ...(result === undefined ? [] : [el("h3", {}, "Result"), el("pre", { tabindex: 0 }, JSON.stringify(exact.workflow.result, undefined, 2))]),
  ];
}

// A link by id may lead into another workspace than the one that is listed.
function elsewhere({ workspaceId, id }) {
  return workspaceId === undefined || workspaceId === place().ws
    ? ""
    : el("p", {}, "Of workspace ", el("a", { href: workspaceLink(workspaceId) + `&id=${id}`, "data-name": "workspace" }, workspaceId), ".");
}

function progressBlock(execution) {
  const parts = { bar: el("progress", { "aria-label": "progress" }), percent: el("span", { class: "figures" }) };
  showProgress(parts, execution);
  return el("p", { class: "slots" }, parts.bar, parts.percent);
}

function buttons(execution) {
  const action = (name, verb) => el("button", { type: "button", "data-name": name, onclick: () => verb(execution, lookAgain) }, name);
  return el("p", { class: "buttons" },
    isOpen(execution) ? action("Cancel …", cancel) : "",
    isRetryable(execution) ? action("Retry …", retry) : "");
}

// By the names they have in the API, whatever it gives.
function fields(values) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return el("dl", {}, ...given.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, ...shownAs(name, value))]));
}

function shownAs(name, value) {
  if (name === "retryOf") {
    return [el("a", { href: link({ id: value }), "data-name": name }, value)];
  }
  if (TIME.test(value)) {
    return [el("time", { datetime: value, title: value }, time(value))];
  }
  return [typeof value === "object" ? el("code", {}, JSON.stringify(value)) : String(value)];
}
