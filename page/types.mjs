// Check the types of the page's JavaScript, without three.js.

import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const here = path.dirname(fileURLToPath(import.meta.url));
const { config } = ts.readConfigFile(path.join(here, "tsconfig.json"), ts.sys.readFile);
const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, here);
const host = ts.createCompilerHost(options);
host.fileExists = (name) => !name.includes("/vendor/") && ts.sys.fileExists(name);
const program = ts.createProgram(fileNames, options, host);
const problems = ts.getPreEmitDiagnostics(program);
process.stdout.write(
  ts.formatDiagnostics(problems, { ...host, getCurrentDirectory: () => path.dirname(here) }),
);
process.exit(problems.length ? 1 : 0);
