// Where the reader is: in the URL, so that a link shows others the same.
// ws, status, definition, after: what is listed; id: the execution whose details are open; from: page of workspaces.
const NAMES = ["from", "ws", "status", "definition", "after", "id"];

export function place() {
  const given = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries(NAMES.map((name) => [name, given.get(name) ?? ""]));
}

export function link(changes) {
  const wanted = Object.entries({ ...place(), ...changes }).filter(([, value]) => value);
  return "#" + new URLSearchParams(wanted);
}

export function go(changes) {
  location.hash = link(changes);
}

// The newest of a workspace, unfiltered.
export const workspaceLink = (ws) => link({ ws, status: "", definition: "", after: "", id: "" });
