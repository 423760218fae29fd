// The chooser, and the workspace that is chosen.
import { pause, resume } from "./actions.js";
import { Refused, call } from "./api.js";
import { attribute, bar, by, chip, el, keyed, note, text } from "./dom.js";
import { count, time } from "./format.js";
import { link, place, workspaceLink } from "./place.js";

const PAGE = 50;

export async function lookAtWorkspaces(signal) {
  const { from } = place();
  const { json: page } = await call("listWorkspaces", { limit: PAGE, after: from }, { signal });
  keyed(by("workspaces"), page.items, (workspace) => workspace.id, makeChoice, updateChoice);
  note(by("workspaces-note"), page.items.length > 0 ? "" : from ? "There are no more." : "There are no workspaces yet.");
  pageLink(by("workspaces-first"), from !== "", { from: "" });
  pageLink(by("workspaces-more"), page.next !== undefined, { from: page.next });
}

export function pageLink(anchor, isThere, changes) {
  anchor.hidden = !isThere;
  attribute(anchor, "href", isThere ? link(changes) : undefined);
}

// At once, without waiting for an answer.
export function markChosen() {
  const { ws } = place();
  for (const choice of by("workspaces").children) {
    attribute(choice.firstElementChild, "aria-current", choice.dataset.key === ws ? "true" : undefined);
  }
}

function makeChoice(workspace) {
  const parts = {
    id: el("strong", {}, workspace.id),
    plan: el("span", { class: "plan" }),
    paused: el("span", {}),
    slots: el("progress", { "aria-label": "slots held" }),
    figures: el("span", { class: "figures" }),
  };
  const node = el("li", {}, el("a", {}, parts.id, parts.plan, parts.paused, parts.slots, parts.figures));
  node.parts = parts;
  return node;
}

function updateChoice(node, workspace) {
  const { plan, paused, slots, figures } = node.parts;
  attribute(node.firstElementChild, "href", workspaceLink(workspace.id));
  attribute(node.firstElementChild, "aria-current", workspace.id === place().ws ? "true" : undefined);
  text(plan, workspace.plan);
  chip(paused, workspace.paused ? "paused" : "", "warn");
  bar(slots, workspace.held, workspace.limit);
  text(figures, `${count(workspace.held)} of ${count(workspace.limit)} held, ${count(workspace.waiting)} waiting`);
}

// --- the chosen one ----------------------------------------------------------------------------------------------

let shown;

export function makeWorkspace(openCreate, look) {
  const parts = {
    id: el("h2", {}),
    plan: el("span", { class: "plan" }),
    paused: el("span", {}),
    slots: el("progress", { "aria-label": "slots held" }),
    figures: el("span", {}),
    why: el("p", { class: "note" }),
    pause: el("button", { type: "button", onclick: () => (shown.paused ? resume : pause)(shown, look) }),
    create: el("button", { type: "button", class: "main", onclick: openCreate }, "New execution …"),
  };
  by("workspace").append(
    el("div", { class: "title" }, parts.id, parts.plan, parts.paused),
    el("div", { class: "slots" }, parts.slots, parts.figures),
    parts.why,
    el("div", { class: "buttons" }, parts.create, parts.pause),
  );
  by("workspace").parts = parts;
}

// Until it is known, nothing of the one before is shown.
export function forgetWorkspace() {
  shown = undefined;
  by("workspace").hidden = true;
}

export async function lookAtWorkspace(signal) {
  const { ws } = place();
  if (!ws) {
    forgetWorkspace();
    return;
  }
  try {
    const { json: workspace } = await call("getWorkspace", { ws }, { signal });
    shown = workspace;
    updateWorkspace(by("workspace").parts, workspace);
    by("workspace").hidden = false;
  } catch (error) {
    // That there is no such workspace is said in place of its executions.
    if (!(error instanceof Refused)) {
      throw error;
    }
    forgetWorkspace();
    if (error.problem.status >= 500) {
      throw error;
    }
  }
}

function updateWorkspace(parts, workspace) {
  text(parts.id, workspace.id);
  text(parts.plan, workspace.plan);
  chip(parts.paused, workspace.paused ? "paused" : "", "warn");
  bar(parts.slots, workspace.held, workspace.limit);
  text(parts.figures, `${count(workspace.held)} of ${count(workspace.limit)} slots held, ${count(workspace.waiting)} waiting`);
  text(parts.pause, workspace.paused ? "Resume …" : "Pause …");
  note(parts.why, [pauseText(workspace), waitingText(workspace)].filter(Boolean).join(" "));
}

function pauseText({ paused, pausedUntil, pauseReason }) {
  return paused ? `Paused${pausedUntil ? ` until ${time(pausedUntil)}` : ""}${pauseReason ? `: ${pauseReason}` : ""}.` : "";
}

function waitingText({ waitingFor, oldestWaitingSince }) {
  const kinds = Object.entries(waitingFor).filter(([, number]) => number > 0).map(([kind, number]) => `${count(number)} for ${kind}`);
  const oldest = oldestWaitingSince ? `, the oldest since ${time(oldestWaitingSince)}` : "";
  return kinds.length > 0 ? `Waiting: ${kinds.join(", ")}${oldest}.` : "";
}
