// Who the audit says it was, where nobody is authenticated. Kept in this browser.
import { by } from "./dom.js";
import { refused } from "./messages.js";

const KEY = "sluice.actor";
let name = "";

export function actor() {
  return name;
}

export function rememberActor() {
  const field = by("actor");
  field.value = name = remembered();
  field.addEventListener("change", () => {
    const wanted = field.value.trim();
    field.value = wanted;
    if (!field.checkValidity()) {
      // It travels in a header, which takes no others.
      refused("Your name can only have plain letters, digits and signs (ASCII).");
      field.value = name;
      return;
    }
    name = wanted;
    keep();
  });
}

// A browser may refuse to keep anything; then it is asked for again next time.
function remembered() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

function keep() {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // see above
  }
}
