// Modules that are made when the page is built or served. Their types are not checked.
declare module "*/kinds.js";
declare module "*/pyodide/pyodide.mjs";
declare module "*/vendor/three.module.js";
