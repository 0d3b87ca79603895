import type { Env } from "../../base/env";

/**
 * Script that starts Swagger UI. Disables its online validator, and sends X-Requested-With, so that calls are accepted
 * as coming from this server. Adds labels that screen readers need; deepLinking stays off, since its links inside
 * buttons would trap the keyboard focus. Groups begin closed: with more than 121 calls open, Swagger UI 5 shows the
 * first ten alone.
 */
export const START = `SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#api",
  deepLinking: false,
  docExpansion: "none",
  onComplete() {
    const set = (selector, attributes) => {
      for (const element of document.querySelectorAll(selector))
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    };
    set(".information-container", { role: "region", "aria-label": "About the API" });
    set(".scheme-container", { role: "region", "aria-label": "Server and keys" });
    set(".opblock-tag", { "aria-level": "2" });
    set("#servers", { "aria-label": "Server" });
  },
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
  requestInterceptor(request) {
    request.headers["X-Requested-With"] = "limn-api-page";
    return request;
  },
});
`;

/**
 * Script that applies the user's choice of light or dark, which Mantine stores under this key, before anything is
 * shown. Without a choice, the page follows the system, also when it changes.
 */
export const THEME = `const system = matchMedia("(prefers-color-scheme: dark)");
function follow() {
  let chosen = null;
  try {
    chosen = localStorage.getItem("mantine-color-scheme-value");
  } catch {}
  const isDark = chosen === "dark" || (chosen !== "light" && system.matches);
  document.documentElement.classList.toggle("dark-mode", isDark);
}
follow();
system.addEventListener("change", follow);
addEventListener("storage", follow);
`;

/** Bar with the way back, and colours for Swagger UI with a contrast of at least 4.5 to 1. */
export const LOOK = `body { margin: 0; }
html.dark-mode { color-scheme: dark; }
html.dark-mode body { background: #1c2022; }
.back { max-width: 1460px; margin: 0 auto; padding: 16px 20px 0; font: 600 14px system-ui, sans-serif; }
.back a { color: #2065b5; }
html.dark-mode .back a { color: #8fbfff; }
.swagger-ui .info .title small pre.version { color: #fff; }
.swagger-ui .info .title small { background: #5f6675; }
.swagger-ui .info .title small.version-stamp { background: #4d6b00; }
html:not(.dark-mode) .swagger-ui .info a, html:not(.dark-mode) .swagger-ui .info .url { color: #2065b5; }
html:not(.dark-mode) .swagger-ui .btn.authorize { border-color: #0f7a4b; color: #0f7a4b; }
html:not(.dark-mode) .swagger-ui .btn.authorize svg { fill: #0f7a4b; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1565b8; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #0f7a4b; }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #94570a; }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0b7266; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #c4161c; }
`;

/** Returns the page of the API's documentation. */
export const apiPage = ({ NAME, BASE_PATH }: Pick<Env, "NAME" | "BASE_PATH">): string => `<!doctype html>
<html lang="en">
  <head>
    <base href="${BASE_PATH}api/">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(NAME)}: API</title>
    <script src="docs/theme.js"></script>
    <link rel="icon" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="stylesheet" href="docs/look.css">
  </head>
  <body>
    <nav class="back"><a href="${BASE_PATH}">← Back to ${escapeHtml(NAME)}</a></nav>
    <div id="api"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
