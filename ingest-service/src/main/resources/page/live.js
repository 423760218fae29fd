// Looks again and again while somebody can see it. Each thing that is looked at has a loop of its own, so that a slow
// one keeps none of the others waiting; within a loop a look begins when the one before is over.

// A look that took long costs the server much: the loop rests so many times as long before the next.
const REST = 3;
const LONGEST_REST_MS = 15_000;

const loops = [];

// of: what of the place it depends on; another place is looked at at once. heard: told undefined or the error.
export function loop({ every, of, work, heard }) {
  let timer;
  let running;
  let failures = 0;

  async function look() {
    clearTimeout(timer);
    const mine = new AbortController();
    running?.abort();
    running = mine;
    const begun = performance.now();
    const error = await attempt(work, mine.signal);
    if (running !== mine) {
      return;
    }
    running = undefined;
    failures = error ? failures + 1 : 0;
    heard(error);
    const rest = failures > 0 ? every * 2 ** Math.min(failures, 5) : Math.max(every, REST * (performance.now() - begun));
    plan(Math.min(rest, LONGEST_REST_MS));
  }

  function plan(rest) {
    if (document.visibilityState === "visible") {
      timer = setTimeout(look, rest);
    }
  }

  loops.push({ of, seen: undefined, look, stop: () => clearTimeout(timer), idle: () => running === undefined });
  return look;
}

async function attempt(work, signal) {
  try {
    await work(signal);
    return undefined;
  } catch (error) {
    return error;
  }
}

export function placeChanged() {
  for (const one of loops) {
    const now = JSON.stringify(one.of());
    if (now !== one.seen) {
      one.seen = now;
      one.look();
    }
  }
}

document.addEventListener("visibilitychange", () => {
  for (const one of loops) {
    one.stop();
    if (document.visibilityState === "visible" && one.idle()) {
      one.look();
    }
  }
});
