import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { VitePWA } from "vite-plugin-pwa";
import { cachedFile } from "./scripts/cachedFile.ts";
import { languages } from "./scripts/languages/languages.ts";

const server = process.env.LIMN_SERVER ?? "http://127.0.0.1:5000";

/** WASM threads need a cross-origin isolated page. */
const isolation = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

const withoutPages = (chunkName: string): string => chunkName.split("~", 1)[0]!;

/** Globals of the service worker; this file itself runs in Node. */
declare const self: { registration: { scope: string } };

/**
 * The web application. All addresses are relative, so that one build serves under any path: the server puts its
 * BASE_PATH into the `<base href>` of index.html and changes nothing else.
 */
export default defineConfig({
  root: "web",
  base: "./",
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2022",
    // Browsers with light-dark(): its fallback does not follow the colour scheme that Mantine sets.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // These browsers preload modules themselves.
    modulePreload: { polyfill: false },
    manifest: true,
    chunkSizeWarningLimit: 750,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Two files with all that every page needs. Libraries stay in caches when only Limn's own code has changed.
            { name: "libraries", tags: ["$initial"], test: /node_modules.*\.[cm]?js$/ },
            { name: "frame", tags: ["$initial"] },
            // Code that several pages share, by the pages that use it; joined with the next best if it is small.
            { name: "shared", minShareCount: 3, entriesAware: true, entriesAwareMergeThreshold: 5_000 },
          ],
        },
        // Names of shared code list the pages that use it.
        chunkFileNames: ({ name }) => `assets/${withoutPages(name)}-[hash].js`,
        assetFileNames: ({ names: [name = ""] }) =>
          name.includes("~") ? `assets/${withoutPages(name)}-[hash][extname]` : "assets/[name]-[hash][extname]",
      },
    },
  },
  worker: { format: "es", plugins: () => [cachedFile(), languages()] },
  server: {
    headers: isolation,
    // Keeps the page's host: the server compares it with the origin of calls that change something.
    proxy: { "/api": { target: server, changeOrigin: false }, "/socket.io": { target: server, ws: true } },
  },
  preview: { headers: isolation },
  plugins: [
    languages(),
    react(),
    cachedFile(),
    VitePWA({
      registerType: "prompt",
      injectRegister: null,
      scope: "./",
      manifest: {
        id: "./",
        name: "Limn",
        short_name: "Limn",
        description: "Draw outlines on images to make training data.",
        start_url: "./",
        scope: "./",
        display: "standalone",
        theme_color: "#1f2430",
        background_color: "#1f2430",
        shortcuts: [
          { name: "Last dataset", url: "./last/dataset" },
          { name: "Continue annotating", url: "./last/image" },
        ],
        icons: [
          { src: "icon.svg", sizes: "any", type: "image/svg+xml" },
          { src: "icon-192.png", sizes: "192x192", type: "image/png" },
          { src: "icon-512.png", sizes: "512x512", type: "image/png" },
          { src: "icon-maskable.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
        ],
      },
      workbox: {
        globPatterns: ["**/*.{js,css,html,svg,woff2}"],
        // Navigation uses the route below. Otherwise "/" would come from the cache before a network request.
        navigateFallback: null,
        directoryIndex: null,
        cleanupOutdatedCaches: true,
        // Does not cache the large files of DEXTR. Their workers cache them (workers/model/cachedFile.ts), even while
        // no
        // service worker controls the page, and only complete files.
        runtimeCaching: [
          {
            // The source of these functions is copied into the service worker, so they cannot use names of this file.
            urlPattern: ({ request, url }) => {
              const scope = new URL(self.registration.scope).pathname;
              return request.mode === "navigate" && !/^(api|socket\.io)(\/|$)/.test(url.pathname.slice(scope.length));
            },
            handler: "NetworkFirst",
            options: {
              cacheName: "shell",
              networkTimeoutSeconds: 2,
              plugins: [
                {
                  // Never caches the page under its own address: only the precached shell matches the scripts.
                  cacheWillUpdate: async () => null,
                  cachedResponseWillBeUsed: async () =>
                    caches.match(new URL("index.html", self.registration.scope).href, { ignoreSearch: true }),
                  // Rejects error pages of a proxy, such as "bad gateway".
                  fetchDidSucceed: async ({ response }) => {
                    if (response.status >= 500) throw new Error(`Status ${response.status}`);
                    return response;
                  },
                },
              ],
            },
          },
        ],
      },
    }),
  ],
});
