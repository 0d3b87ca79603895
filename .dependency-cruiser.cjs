/**
 * Who may import whom (docs/architecture.md). Type imports count. Nothing imports upward, no circle anywhere.
 */
const only = (name, from, allowed) => ({
  name,
  severity: "error",
  from: { path: from },
  to: { path: "^(shared|model|workers|server|web|tests)/", pathNot: allowed },
});
const never = (name, from, to) => ({ name, severity: "error", from: { path: from }, to: { path: to } });

module.exports = {
  forbidden: [
    { name: "no-circle", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-unresolvable",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^virtual:|[?]kept$" },
    },

    // Between the parts.
    only("shared-imports-nothing-of-ours", "^shared/", "^shared/"),
    only("model-imports-shared", "^model/", "^(model|shared)/"),
    only("workers-import-model-and-shared", "^workers/", "^(workers|model|shared)/"),
    only("server-imports-model-and-shared", "^server/", "^(server|model|shared)/"),
    only("web-imports-workers-model-and-shared", "^web/", "^(web|workers|model|shared)/"),
    {
      name: "web-imports-workers-as-types-only",
      severity: "error",
      from: { path: "^web/" },
      to: { path: "^workers/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "shared-is-pure",
      severity: "error",
      from: { path: "^(shared|model)/", pathNot: "^model/evaluate/" },
      to: { dependencyTypes: ["core"] },
    },
    never("recipe-knows-no-evaluation", "^(model/dextr|workers|server|web)/", "^model/evaluate/"),

    // Inside shared: entities and constants below, api and edits above.
    never("async-and-color-know-no-entities", "^shared/(async|color)/", "^shared/(?!async/|color/|constants\\.ts)"),
    never("entities-are-the-ground", "^shared/entities/", "^shared/(api|events|edits|rules|geometry|coco)/"),
    never("geometry-knows-no-annotation", "^shared/geometry/", "^shared/(api|events|edits|rules|coco)/"),
    never("wand-knows-pixels-and-outlines", "^shared/wand/", "^shared/(api|events|edits|rules)/"),
    never("coco-and-rules-below-edits-and-api", "^shared/(coco|rules)/", "^shared/(api|events|edits)/"),
    never("edits-below-api", "^shared/edits/", "^shared/(api|events)/"),

    // Inside the server: main, app; routes | tasks | sockets; actions, middleware; db, files, queue, live; env, errors.
    never(
      "routes-tasks-and-sockets-do-not-import-upward",
      "^server/(routes|tasks|sockets)/",
      "^server/(main|serve|app|worker)\\.ts",
    ),
    never("routes-do-not-import-sockets", "^server/routes/", "^server/sockets/"),
    never("tasks-do-not-import-routes", "^server/tasks/", "^server/(routes|sockets)/"),
    never("sockets-do-not-import-routes", "^server/sockets/", "^server/(routes|tasks)/"),
    never(
      "actions-and-middleware-below-the-doors",
      "^server/(actions|middleware)/",
      "^server/(routes|tasks|sockets|main|serve|app|worker)",
    ),
    never(
      "ways-out-below-actions",
      "^server/(db|files|queue|live|onnx|outside)/",
      "^server/(routes|tasks|sockets|actions|middleware|main|serve|app|worker)",
    ),
    never("ways-out-do-not-know-each-other", "^server/(files|onnx|outside)/", "^server/(db|queue|live)/"),
    never("onnx-and-outside-know-no-files", "^server/(onnx|outside)/", "^server/files/"),
    never("db-below-all", "^server/db/", "^server/(files|queue|live|onnx|outside)/"),
    never(
      "env-errors-and-permissions-are-the-ground",
      "^server/(env|errors|permissions)\\.ts$",
      "^server/(?!(env|errors|permissions)\\.ts)",
    ),

    // Inside web: main, routes, pages; annotator; sync, queries; io, components.
    never("annotator-below-pages", "^web/annotator/", "^web/(pages/|main|routes)"),
    never("sync-and-queries-below-annotator", "^web/(sync|queries)/", "^web/(annotator|pages)/|^web/(main|routes)"),
    never("components-and-io-are-the-ground", "^web/components/", "^web/(annotator|pages|sync)/|^web/(main|routes)"),
    never("io-is-the-ground", "^web/io/", "^web/(annotator|pages|sync|queries|components)/|^web/(main|routes)"),
    {
      name: "tools-do-not-know-each-other-nor-the-editor",
      severity: "error",
      // No tools: "common" is for all of them, "painting" for brush and eraser.
      from: { path: "^web/annotator/tools/([^/]+)/" },
      to: { path: "^web/annotator/(editor\\.ts|tools/[^/]+/)", pathNot: "^web/annotator/tools/($1|common|painting)/" },
    },
    never(
      "document-below-editor",
      "^web/annotator/(document|history|selection)\\.ts",
      "^web/annotator/(editor|tools|canvas|panels)",
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: {
      conditionNames: ["import", "node", "default", "types"],
      exportsFields: ["exports"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json", ".css"],
    },
  },
};
