// What concerns all workspaces.
import { call } from "./api.js";
import { by, text } from "./dom.js";
import { count, seconds } from "./format.js";

export async function lookAtLag(signal) {
  const { json: lag } = await call("getLag", {}, { signal });
  const age = lag.endToEndSeconds > 0 ? `, the oldest that could start is ${seconds(lag.endToEndSeconds)} old` : "";
  text(by("lag"), count(lag.totalLag) + age);
}

export async function lookAtMaintenance(signal) {
  const { json: maintenance } = await call("getMaintenance", {}, { signal });
  const { mode, drained, held } = maintenance;
  by("mode").dataset.mode = mode;
  text(by("mode"), mode === "normal" ? "normal" : `maintenance: ${mode}, ${drained ? "drained" : `${count(held)} still held`}`);
}
