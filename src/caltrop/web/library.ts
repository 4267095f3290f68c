/**
 * The library of Python for browsers, compiled. With compiled sources Python starts in a third of the time, because it
 * compiles no sources. Parts that no rule can need, such as debuggers and mail, are left out.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { loadPyodide, version } from "pyodide";

const SOURCES = "node_modules/pyodide/python_stdlib.zip";
const STORED = `node_modules/.python/library-${version}-1.zip`;

const COMPILE = `
import importlib.util, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

LEFT_OUT = {
    "_pyrepl", "bdb", "cProfile", "code", "doctest", "ftplib", "html", "imaplib", "mailbox", "multiprocessing",
    "optparse", "pdb", "pickletools", "poplib", "profile", "pstats", "pydoc", "pydoc_data", "smtplib", "unittest",
    "wsgiref", "xml", "xmlrpc",
}
with zipfile.ZipFile("/sources.zip") as sources, zipfile.ZipFile("/library.zip", "w") as library:
    for file in sources.infolist():
        if file.filename.split("/")[0].removesuffix(".py") in LEFT_OUT:
            continue
        content, name = sources.read(file), file.filename
        if name.endswith(".py"):
            code = compile(content, f"/lib/python314.zip/{name}", "exec", dont_inherit=True)
            content, name = bytes(_code_to_hash_pyc(code, importlib.util.source_hash(content), False)), f"{name}c"
        library.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, 9)
`;

/** Return the compiled library as an archive; it is made once for each version of Python. */
export async function compiledLibrary(): Promise<Uint8Array> {
  if (!existsSync(STORED)) {
    const python = await loadPyodide();
    python.FS.writeFile("/sources.zip", new Uint8Array(readFileSync(SOURCES)));
    python.runPython(COMPILE);
    mkdirSync(dirname(STORED), { recursive: true });
    writeFileSync(STORED, python.FS.readFile("/library.zip"));
  }
  return readFileSync(STORED);
}
