// Asks for an execution.
import { actor } from "./actor.js";
import { call } from "./api.js";
import { el } from "./dom.js";
import { json, localTime, openForm, wholeNumber } from "./form-dialog.js";
import { shortId } from "./format.js";
import { done } from "./messages.js";
import { go, place } from "./place.js";

const LOCAL = "In your local time.";

const FIELDS = [
  { name: "definitionId", label: "Definition", required: true, list: "likely-definitions", maxlength: 64, autocomplete: "off", spellcheck: "false" },
  { name: "input", label: "Input (JSON)", tag: "textarea", rows: 5, read: json, spellcheck: "false", hint: "Handed to the workflow as it is." },
  { name: "priority", label: "Priority", type: "number", min: 0, max: 9, placeholder: 5, read: wholeNumber, hint: "0 first … 9 last." },
  { name: "idempotencyKey", label: "Idempotency key", maxlength: 200, autocomplete: "off", hint: "The same key is the same request, however often it is sent." },
  { name: "partitionKey", label: "Partition key", maxlength: 200, autocomplete: "off", hint: "One at a time per key, in order." },
  { name: "notBefore", label: "Not before", type: "datetime-local", step: 1, read: localTime, hint: LOCAL },
  { name: "expiresAt", label: "Expires at", type: "datetime-local", step: 1, read: localTime, hint: LOCAL + " What has not started by then never will." },
  { name: "deadline", label: "Deadline", placeholder: "PT10M", autocomplete: "off", hint: "ISO 8601 duration, counted from the start." },
];

export function openCreate(definitions) {
  const { ws, definition } = place();
  const likely = definition || (definitions.length === 1 ? definitions[0] : "");
  const dialog = openForm({
    title: `New execution in ${ws}`,
    fields: FIELDS.map((field) => (field.name === "definitionId" ? { ...field, value: likely } : field)),
    submit: "Create",
    send: async (values) => {
      const { json: accepted } = await call("enqueue", { ws }, { body: body(values), actor: actor() });
      done(`Execution ${shortId(accepted.id)} is accepted.`);
      // Where it shows up: at the top of the list, whatever was filtered before.
      go({ ws, status: "", definition: "", after: "", id: accepted.id });
    },
  });
  // What lies outside of an open dialog cannot be reached from within it in every browser.
  dialog.append(el("datalist", { id: "likely-definitions" }, ...definitions.map((id) => el("option", { value: id }))));
}

function body({ input, ...others }) {
  const rest = JSON.stringify(others);
  return input === undefined ? rest : `${rest.slice(0, -1)},"input":${input}}`;
}
