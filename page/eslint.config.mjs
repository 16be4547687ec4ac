// ESLint for the page's JavaScript: mistakes are errors, long branching is a warning.

import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/vendor/**"] },
  {
    ...js.configs.recommended,
    languageOptions: { sourceType: "module", globals: { ...globals.browser, ...globals.worker } },
    rules: {
      ...js.configs.recommended.rules,
      complexity: ["warn", 12],
      eqeqeq: "error",
      "no-unused-vars": [
        "error",
        { varsIgnorePattern: "^_", argsIgnorePattern: "^_", destructuredArrayIgnorePattern: "^_" },
      ],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
];
