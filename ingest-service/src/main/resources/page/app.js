// Puts the parts together.
import { rememberActor } from "./actor.js";
import { call } from "./api.js";
import { contact } from "./contact.js";
import { openCreate } from "./create-dialog.js";
import { closeOnEscape, forgetDetails, lookAtDetails, onDetailAction } from "./details.js";
import { by, el, keyed } from "./dom.js";
import { forgetExecutions, lookAtExecutions, lookAtProgress, onAction } from "./executions.js";
import { loop, placeChanged } from "./live.js";
import { go, place } from "./place.js";
import { lookAtLag, lookAtMaintenance } from "./strip.js";
import { forgetWorkspace, lookAtWorkspace, lookAtWorkspaces, makeWorkspace, markChosen } from "./workspaces.js";

const EVERY_MS = 1_000;
const STATES = ["PENDING", "CLAIMED", "DISPATCHED", "FAILED", "CANCELLED", "EXPIRED"];

let definitions = [];

// Only to suggest them, so once in a while and no more than a page.
async function lookAtDefinitions(signal) {
  const { ws } = place();
  const page = ws ? (await call("listDefinitions", { ws, limit: 200 }, { signal })).json : { items: [] };
  definitions = page.items.map(({ id }) => id);
  keyed(by("definitions"), definitions, (id) => id, (id) => el("option", { value: id }), () => {});
}

function watch(name, work, of, every = EVERY_MS) {
  return loop({ every, of, work, heard: contact(name) });
}

const theList = () => [place().ws, place().status, place().definition, place().after];

watch("Consumer lag", lookAtLag, () => "");
watch("Maintenance", lookAtMaintenance, () => "", 3 * EVERY_MS);
watch("Workspaces", lookAtWorkspaces, () => place().from, 2 * EVERY_MS);
const workspace = watch("Workspace", lookAtWorkspace, () => place().ws);
const executions = watch("Executions", lookAtExecutions, theList);
const details = watch("Details", lookAtDetails, () => place().id);
watch("Progress", lookAtProgress, theList);
watch("Definitions", lookAtDefinitions, () => place().ws, 20 * EVERY_MS);

const lookNow = () => [workspace, executions, details].forEach((look) => look());

let before = {};

function onPlace() {
  const now = place();
  document.title = now.ws ? `${now.ws} – Sluice` : "Sluice";
  if (now.ws !== before.ws) {
    forgetWorkspace();
    markChosen();
  }
  if (now.ws !== before.ws || now.status !== before.status || now.definition !== before.definition || now.after !== before.after) {
    forgetExecutions();
  }
  if (now.id !== before.id) {
    forgetDetails();
  }
  for (const [name, value] of Object.entries({ status: now.status, definition: now.definition })) {
    by("filters").elements[name].value = value;
  }
  before = now;
  placeChanged();
}

function start() {
  by("filters").elements.status.append(el("option", { value: "" }, "any"), ...STATES.map((state) => el("option", { value: state }, state)));
  by("filters").addEventListener("submit", (event) => {
    event.preventDefault();
    const { status, definition, id } = event.target.elements;
    go({ status: status.value, definition: definition.value.trim(), after: "", id: id.value.trim() || place().id });
    id.value = "";
  });
  by("filters").elements.status.addEventListener("change", () => by("filters").requestSubmit());
  by("open-workspace").addEventListener("submit", (event) => {
    event.preventDefault();
    const field = event.target.elements.ws;
    go({ ws: field.value.trim() || place().ws, status: "", definition: "", after: "", id: "" });
    field.value = "";
  });
  makeWorkspace(() => openCreate(definitions), lookNow);
  onAction(lookNow);
  onDetailAction(lookNow);
  closeOnEscape();
  rememberActor();
  window.addEventListener("hashchange", onPlace);
  onPlace();
}

start();
