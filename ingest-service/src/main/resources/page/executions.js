// The executions of the chosen workspace, newest first, and how far they are.
import { cancel, retry } from "./actions.js";
import { Refused, call } from "./api.js";
import { attribute, bar, by, chip, el, keyed, note, text } from "./dom.js";
import { atWork, isOpen, isRetryable, percent, remark, shortId, time, tone, whomToAsk } from "./format.js";
import { link, place } from "./place.js";
import { pageLink } from "./workspaces.js";

// Not more, because a list brings the results along, and comes every second.
const PAGE = 25;

let listed = [];
let lookAgain = () => {};

// What was told about single ones, since lists have neither progress nor position: id → { at, told, execution }.
const asked = new Map();

export function onAction(look) {
  lookAgain = look;
}

export function forgetExecutions() {
  listed = [];
  asked.clear();
  show([]);
  note(by("executions-note"), "");
  pageLink(by("executions-newest"), false);
  pageLink(by("executions-older"), false);
  by("list").hidden = place().ws === "";
  by("choose").hidden = place().ws !== "";
}

export async function lookAtExecutions(signal) {
  const { ws, status, definition, after } = place();
  if (!ws) {
    return;
  }
  try {
    const { json: page } = await call("listExecutions", { ws, status, definitionId: definition, after, limit: PAGE }, { signal });
    listed = page.items;
    forgetThoseGone();
    show(listed.map(withWhatWasTold));
    note(by("executions-note"), listed.length > 0 ? "" : after || status || definition ? "There are none like that." : "There are none yet.");
    pageLink(by("executions-newest"), after !== "", { after: "" });
    pageLink(by("executions-older"), page.next !== undefined, { after: page.next });
  } catch (error) {
    if (error instanceof Refused && error.problem.status < 500) {
      forgetExecutions();
      note(by("executions-note"), error.message);
    }
    throw error;
  }
}

// One after the other: a worker that is slow to tell keeps no connection from the rest of the page.
export async function lookAtProgress(signal) {
  for (const { id } of whomToAsk(listed, asked, performance.now())) {
    // Before it is known, so that one that has gone keeps nobody behind it waiting.
    asked.set(id, { ...asked.get(id), at: performance.now(), told: false });
    const { json: execution } = await call("getExecution", { id }, { signal });
    const told = execution.workflow?.progress !== undefined || execution.position !== undefined;
    asked.set(id, { at: performance.now(), told, execution });
    show(listed.map(withWhatWasTold));
  }
}

function forgetThoseGone() {
  const there = new Set(listed.map(({ id }) => id));
  for (const id of asked.keys()) {
    if (!there.has(id)) {
      asked.delete(id);
    }
  }
}

// The list is newer in all but these.
function withWhatWasTold(execution) {
  const { execution: single } = asked.get(execution.id) ?? {};
  const progress = single?.workflow?.progress;
  return {
    ...execution,
    position: execution.status === "PENDING" ? single?.position : undefined,
    workflow: progress && execution.workflow?.status === "RUNNING" ? { ...execution.workflow, progress } : execution.workflow,
  };
}

function show(executions) {
  keyed(by("executions"), executions, (execution) => execution.id, makeRow, updateRow);
}

const COLUMNS = { id: "Execution", definition: "Definition", status: "Status", progress: "Progress", remark: "Remark", accepted: "Accepted", action: "Action" };

function makeRow({ id }) {
  const cells = Object.entries(COLUMNS).map(([name, label]) => [name, el("td", { role: "cell", class: name, "data-label": label })]);
  const node = el("tr", { role: "row" }, ...cells.map(([, cell]) => cell));
  const parts = {
    ...Object.fromEntries(cells),
    link: el("a", { title: id, "aria-label": `Details of ${id}` }, shortId(id)),
    state: el("span", {}),
    workflow: el("span", {}),
    bar: el("progress", { "aria-label": "progress" }),
    percent: el("span", { class: "figures" }),
    words: el("span", {}),
    time: el("time", {}),
    button: el("button", { type: "button", onclick: () => node.act() }),
  };
  parts.id.append(parts.link);
  parts.status.append(parts.state, " ", parts.workflow);
  parts.progress.append(parts.bar, parts.percent);
  parts.remark.append(parts.words);
  parts.accepted.append(parts.time);
  parts.action.append(parts.button);
  node.parts = parts;
  return node;
}

function updateRow(node, execution) {
  const { parts } = node;
  attribute(parts.link, "href", link({ id: execution.id }));
  attribute(node, "aria-current", execution.id === place().id ? "true" : undefined);
  text(parts.definition, execution.definitionId);
  chip(parts.state, execution.status, tone(execution.status));
  chip(parts.workflow, execution.workflow?.status, tone(execution.workflow?.status));
  showProgress(parts, execution);
  text(parts.words, remark(execution));
  attribute(parts.time, "datetime", execution.acceptedAt);
  text(parts.time, execution.acceptedAt && time(execution.acceptedAt));
  const action = isRetryable(execution) ? ["Retry …", retry] : isOpen(execution) ? ["Cancel …", cancel] : undefined;
  parts.button.hidden = action === undefined;
  text(parts.button, action?.[0]);
  node.act = () => action[1](execution, lookAgain);
}

export function showProgress(parts, execution) {
  const far = percent(execution);
  bar(parts.bar, far, 100);
  text(parts.percent, far === undefined ? "" : [`${far} %`, atWork(execution)].filter(Boolean).join(" "));
}
