// Whether what is shown is live, and since when not.
import { Away, Refused } from "./api.js";
import { by, note, text } from "./dom.js";
import { time } from "./format.js";

const troubles = new Map();
let awaySince;
let answered = false;

// A "heard" for the loop of that name.
export function contact(name) {
  return (error) => {
    if (error && !(error instanceof Away) && !(error instanceof Refused)) {
      console.error(error);
    }
    answered ||= !(error instanceof Away);
    if (error && !isBusinessAsUsual(error)) {
      troubles.set(name, error);
    } else {
      troubles.delete(name);
    }
    show();
  };
}

// 4xx is an answer about what was asked for, and shown where that is.
function isBusinessAsUsual(error) {
  return error instanceof Refused && error.problem.status < 500;
}

function show() {
  const away = [...troubles.values()].some((error) => error instanceof Away);
  awaySince = away ? (awaySince ?? Date.now()) : undefined;
  const lines = [...troubles].map(([name, error]) => `${name}: ${error.message}`);
  text(by("contact"), away ? "not live" : troubles.size > 0 ? "partly live" : "live");
  by("contact").dataset.state = away ? "away" : troubles.size > 0 ? "partly" : "live";
  note(by("trouble"), away ? awayText() : lines.join("; "));
}

function awayText() {
  const shown = answered ? "What is shown is from then." : "";
  return `The server is not reachable since ${time(awaySince)}. ${shown} It is tried again by itself.`;
}
