// What must be set before everything else; a file of its own because inline scripts are forbidden.

// zod would try if it may compile code, which the page's policy forbids, and the browser reports each try as an error.
globalThis.__zod_globalConfig = { jitless: true };

// Light or dark, before the first paint. The key is Mantine's.
(() => {
  let scheme;
  try {
    scheme = localStorage.getItem("mantine-color-scheme-value");
  } catch {
    // Storage may be forbidden: then the system's choice counts.
  }
  if (scheme !== "light" && scheme !== "dark")
    scheme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.setAttribute("data-mantine-color-scheme", scheme);
})();
