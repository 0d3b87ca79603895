// Sets options that must be set before everything else. A file of its own, because inline scripts are forbidden.

// Keeps zod from testing if it may compile code: the page's policy forbids it, and the browser reports each test.
globalThis.__zod_globalConfig = { jitless: true };

// Sets light or dark before the first paint. The key is Mantine's.
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
