// What became of an action. What went well goes away by itself; a refusal stays until it was read.
import { by, el } from "./dom.js";

const SHOWN_MS = 10_000;
const MOST = 4;

export function done(sentence) {
  const message = show(sentence, "done");
  setTimeout(() => message.remove(), SHOWN_MS);
}

export function refused(sentence) {
  show(sentence, "refused");
}

function show(sentence, kind) {
  const close = el("button", { type: "button", "aria-label": "Dismiss", onclick: () => message.remove() }, "×");
  const message = el("p", { class: kind }, el("span", {}, sentence), close);
  by("messages").append(message);
  while (by("messages").children.length > MOST) {
    by("messages").firstElementChild.remove();
  }
  return message;
}
