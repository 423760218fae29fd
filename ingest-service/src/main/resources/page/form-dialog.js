// A dialog with fields. It stays open until the server has taken what was sent; what is wrong stands at its field.
import { Away, Refused } from "./api.js";
import { attribute, el, note } from "./dom.js";

let number = 0;

// fields: { name, label, hint, value, tag, read, …attributes }; read turns text into what is sent, or throws a sentence.
// send(values) is given what is not empty, and resolves when the dialog may close.
export function openForm({ title, intro, fields, submit, send }) {
  const heading = `dialog-${++number}`;
  const entries = fields.map((field) => entry(field, `${heading}-${field.name}`));
  const problem = el("p", { class: "trouble", role: "alert", hidden: true });
  const button = el("button", { class: "main" }, submit);
  const dialog = el(
    "dialog",
    { "aria-labelledby": heading, onclose: () => dialog.remove() },
    el("form", { novalidate: true, onsubmit },
      el("h2", { id: heading }, title),
      intro ? el("p", {}, intro) : "",
      ...entries.map((one) => one.block),
      problem,
      el("p", { class: "buttons" }, el("button", { type: "button", onclick: () => dialog.close() }, "Not now"), button)),
  );

  async function onsubmit(event) {
    event.preventDefault();
    note(problem, "");
    const values = readAll(entries);
    if (values === undefined) {
      return;
    }
    button.disabled = true;
    try {
      await send(values);
      dialog.close();
    } catch (error) {
      explain(error, entries, problem);
    } finally {
      button.disabled = false;
    }
  }

  document.body.append(dialog);
  dialog.showModal();
  entries[0]?.input.focus();
  return dialog;
}

function entry({ name, label, hint, value, tag = "input", read = (text) => text, required, ...attributes }, id) {
  const wrong = el("span", { class: "wrong", id: `${id}-wrong`, hidden: true });
  const told = el("span", { class: "hint", id: `${id}-hint` }, hint ?? "");
  const input = el(tag, { id, name, "aria-describedby": `${id}-wrong ${id}-hint`, "aria-required": required ? "true" : undefined, ...attributes });
  input.value = value ?? "";
  const block = el("div", { class: "field" }, el("label", { for: id }, label), input, wrong, told);
  const say = (sentence) => {
    note(wrong, sentence);
    attribute(input, "aria-invalid", sentence ? "true" : undefined);
  };
  return { name, block, input, say, read, required };
}

// undefined when something is wrong, which is then shown, and the first of it has the focus.
function readAll(entries) {
  const values = {};
  const wrong = entries.filter((one) => {
    one.say("");
    try {
      const text = one.input.value.trim();
      // A field of a kind (number, time) whose text is none of that kind reads as empty.
      if (one.input.validity.badInput) {
        throw new Error("cannot be read");
      }
      if (text !== "") {
        values[one.name] = one.read(text);
      } else if (one.required) {
        throw new Error("is required");
      }
      return false;
    } catch (error) {
      one.say(error.message);
      return true;
    }
  });
  wrong[0]?.input.focus();
  return wrong.length === 0 ? values : undefined;
}

function explain(error, entries, problem) {
  if (!(error instanceof Refused)) {
    note(problem, error instanceof Away ? `Not known whether it arrived: ${error.message}.` : error.message);
    return;
  }
  const { title, detail, errors = [] } = error.problem;
  const elsewhere = errors.filter((one) => !placed(one, entries));
  // The detail repeats what stands at the fields.
  const more = errors.length > 0 ? elsewhere.map((one) => `${one.field} ${one.message}`).join("; ") : detail;
  note(problem, more ? `${title}: ${more}` : title);
  entries.find((one) => one.input.hasAttribute("aria-invalid"))?.input.focus();
}

// limits[0].key belongs to limits.
function placed({ field, message }, entries) {
  const entry = entries.find((one) => one.name === field.split(/[.[]/)[0]);
  entry?.say(message);
  return entry !== undefined;
}

// --- what fields are read as -------------------------------------------------------------------------------------

export function localTime(text) {
  return new Date(text).toISOString();
}

export function wholeNumber(text) {
  if (!/^-?\d+$/.test(text)) {
    throw new Error("must be a whole number");
  }
  return Number(text);
}

// Checked, and sent as it was written: reading it into numbers of a browser would change large ones.
export function json(text) {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new Error(`is not JSON: ${error.message}`);
  }
  return text;
}
