// Modules that only a built page has. Their types are not checked.
declare module "*/vendor/three.module.js";
declare module "*/pyodide/pyodide.mjs";
