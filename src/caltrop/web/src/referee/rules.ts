/**
 * A worker that answers by the rules themselves: Python runs in it, with the sources that the server has. There is no
 * second implementation of any rule.
 */
import type { loadPyodide } from "pyodide";

/** The addresses of the files that the worker needs. */
export interface Addresses {
  /** The folder of Pyodide. */
  python: string;
  wheel: string;
  rules: string;
}

export interface Request {
  id: number;
  /** The server's address for the folder of Pyodide. */
  path: string;
  /** Body of the answer as JSON. */
  text: string;
}

/** The server's answer to a request with the same id; without one, the rules could not run here. */
export interface Answer {
  id: number;
  status: number;
  text: string;
}

type Answers = (path: string, text: string) => readonly [number, string];

let answers: Promise<Answers> | null = null;

async function contentOf(address: string): Promise<ArrayBuffer> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.arrayBuffer();
}

async function begun({ python, wheel, rules }: Addresses): Promise<Answers> {
  const modules = (await import(/* @vite-ignore */ `${python}pyodide.mjs`)) as { loadPyodide: typeof loadPyodide };
  const [api, wheelFile, rulesFile] = await Promise.all([
    modules.loadPyodide({ indexURL: python }),
    contentOf(wheel),
    contentOf(rules),
  ]);
  api.unpackArchive(wheelFile, "wheel");
  api.unpackArchive(rulesFile, "tar", { extractDir: "/caltrop" });
  api.runPython('import sys; sys.path.insert(0, "/caltrop"); sys.dont_write_bytecode = True');
  const { answered } = api.pyimport("caltrop.wire.attacks");
  return (path, text) => {
    const pair = answered(path, text);
    try {
      return pair.toJs();
    } finally {
      pair.destroy();
    }
  };
}

self.onmessage = async ({ data }: MessageEvent<Addresses | Request>): Promise<void> => {
  if ("python" in data) {
    answers ??= begun(data);
    return;
  }
  let answer: Answer = { id: data.id, status: 0, text: "" };
  try {
    const [status, text] = (await answers)!(data.path, data.text);
    answer = { id: data.id, status, text };
  } catch (error) {
    console.error(error);
  }
  self.postMessage(answer);
};
