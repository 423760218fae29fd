// What things look like in words. Nothing here touches the document.

const DAY_MS = 86_400_000;
const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };

export function time(text, now = Date.now()) {
  const at = new Date(text);
  const date = Math.abs(now - at) < DAY_MS / 2 ? {} : { day: "numeric", month: "short", year: "numeric" };
  return at.toLocaleString(undefined, { ...date, ...CLOCK });
}

export function seconds(value) {
  return value < 10 ? `${value.toFixed(1)} s` : value < 600 ? `${Math.round(value)} s` : `${Math.round(value / 60)} min`;
}

export function count(value) {
  return value.toLocaleString("en").replaceAll(",", "\u202f");
}

// The random end of an id tells it from its neighbours; the beginning is the time.
export function shortId(id) {
  return "…" + id.slice(-12);
}

// 0 to 100, or undefined where nobody can know.
export function percent(execution) {
  const { workflow } = execution;
  return workflow?.progress?.percent ?? (workflow?.status === "COMPLETED" ? 100 : undefined);
}

export function atWork(execution) {
  const { progress } = execution.workflow ?? {};
  return progress?.currentNodes?.join(", ") ?? "";
}

export function isRunning(execution) {
  return execution.workflow?.status === "RUNNING";
}

export function isOpen(execution) {
  return ["ACCEPTED", "PENDING", "CLAIMED"].includes(execution.status) || isRunning(execution);
}

// Only what the server would take: what FAILED, and what was started and is closed.
export function isRetryable(execution) {
  return execution.status === "FAILED" || (execution.status === "DISPATCHED" && !isRunning(execution));
}

// The server's sentences have times in UTC, to the microsecond.
const TIMES = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

export function remark(execution) {
  const { waitingFor, position, failure, workflow } = execution;
  if (waitingFor) {
    return waitingFor.detail.replace(TIMES, (at) => time(at)) + (position ? `, position ${count(position)}` : "");
  }
  if (failure) {
    return `${failure.code}: ${failure.message}`;
  }
  if (workflow?.error) {
    return workflow.error;
  }
  return execution.cancelRequestedAt && isOpen(execution) ? "asked to stop" : "";
}

// For the colour: good, bad, busy or idle.
export function tone(status) {
  switch (status) {
    case "COMPLETED":
      return "good";
    case "FAILED":
    case "TERMINATED":
    case "TIMED_OUT":
    case "NOT_FOUND":
      return "bad";
    case "CLAIMED":
    case "DISPATCHED":
    case "RUNNING":
      return "busy";
    default:
      return "idle";
  }
}

// Prints numbers as they came where the browser can: 12345678901234567890 is not 12345678901234567000.
export function exactly(text) {
  const keep = (_, value, source) =>
    typeof value === "number" && source?.source && JSON.rawJSON && String(value) !== source.source
      ? JSON.rawJSON(source.source)
      : value;
  return JSON.parse(text, keep);
}

// Lists have neither progress nor positions, so some of the rows are asked for one by one. Asking for progress costs
// a query of a workflow, a position a count of what is ahead: never more than so many at a time, least recent first,
// and those that had nothing to tell only now and then.
const MOST_ASKED = 10;
const MOST_POSITIONS = 2;
const NOTHING_TO_TELL_MS = 10_000;

export function whomToAsk(executions, asked, now) {
  const due = (execution) => {
    const last = asked.get(execution.id);
    return !last || last.told || now - last.at >= NOTHING_TO_TELL_MS;
  };
  const at = (execution) => asked.get(execution.id)?.at ?? 0;
  const inTurn = executions.filter(due).sort((a, b) => at(a) - at(b));
  const running = inTurn.filter(isRunning).slice(0, MOST_ASKED);
  const waiting = inTurn.filter((execution) => execution.status === "PENDING").slice(0, MOST_POSITIONS);
  return [...running, ...waiting].slice(0, MOST_ASKED);
}
