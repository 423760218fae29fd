// Every call the page makes: method, path, query parameters. PageTest compares this table with the OpenAPI
// document, so that the page cannot drift from the API.
export const CALLS = {
  getLag: ["GET", "/v1/lag"],
  getMaintenance: ["GET", "/v1/maintenance"],
  listWorkspaces: ["GET", "/v1/workspaces", "limit", "after"],
  getWorkspace: ["GET", "/v1/workspaces/{ws}"],
  pauseWorkspace: ["POST", "/v1/workspaces/{ws}/pause"],
  resumeWorkspace: ["POST", "/v1/workspaces/{ws}/resume"],
  listDefinitions: ["GET", "/v1/workspaces/{ws}/definitions", "limit"],
  listExecutions: ["GET", "/v1/workspaces/{ws}/executions", "status", "definitionId", "limit", "after"],
  enqueue: ["POST", "/v1/workspaces/{ws}/executions"],
  getExecution: ["GET", "/v1/executions/{id}"],
  cancelExecution: ["POST", "/v1/executions/{id}/cancel"],
  retryExecution: ["POST", "/v1/executions/{id}/retry"],
};

const PATIENCE_MS = 15_000;

// Nobody of ours answered: the server, the network or a proxy between.
export class Away extends Error {}

// The server answered, and said no: its problem document.
export class Refused extends Error {
  constructor(problem) {
    super(problem.detail || problem.title);
    this.problem = problem;
  }
}

// at: what stands in the path, and anything the query may have; what is empty is left out.
export async function call(name, at = {}, { body, signal, actor } = {}) {
  const [method, path, ...query] = CALLS[name];
  const request = { method, headers: { accept: "application/json, application/problem+json" }, cache: "no-store" };
  if (method !== "GET") {
    request.headers["content-type"] = "application/json";
    request.body = body ?? "{}";
    if (actor) {
      request.headers["x-sluice-actor"] = actor;
    }
  }
  const { response, text } = await answer(address(path, query, at), request, signal);
  if (!response.ok) {
    throw refusal(response, text);
  }
  return { json: JSON.parse(text), text };
}

// Relative, so that the page also works under a prefix of somebody's proxy.
function address(path, query, at) {
  const filled = path.slice(1).replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(at[name]));
  const given = new URLSearchParams(query.filter((name) => at[name]).map((name) => [name, at[name]]));
  return given.size > 0 ? `${filled}?${given}` : filled;
}

async function answer(url, request, signal) {
  const late = AbortSignal.timeout(PATIENCE_MS);
  try {
    const response = await fetch(url, { ...request, signal: signal ? AbortSignal.any([signal, late]) : late });
    const text = await response.text();
    signal?.throwIfAborted();
    return { response, text };
  } catch (cause) {
    if (signal?.aborted) {
      throw cause;
    }
    throw new Away(late.aborted ? "no answer in time" : "no connection");
  }
}

function refusal(response, text) {
  if (!response.headers.get("content-type")?.startsWith("application/problem+json")) {
    return new Away(`something in between answered ${response.status}`);
  }
  return new Refused(JSON.parse(text));
}
